import { expect, test } from 'vitest';
import { Speed } from './download-speed';

test('the speed is known after a moment, and is that of the last seconds', () => {
  const speed = new Speed();
  expect(speed.heard(0, 0)).toBeNull();
  expect(speed.heard(500, 1_000)).toBeNull();
  expect(speed.heard(1_000, 2_000)).toBe(2_000);
  for (let second = 2; second <= 20; second++) speed.heard(second * 1_000, 2_000 + (second - 1) * 100);
  expect(speed.heard(21_000, 4_000)).toBeCloseTo(100, 0);
});

test('bytes that are fetched once more do not count against it', () => {
  const speed = new Speed();
  speed.heard(0, 0);
  speed.heard(1_000, 9_000_000);
  expect(speed.heard(1_250, 0)).toBeNull();
  expect(speed.heard(2_250, 500)).toBe(500);
});
