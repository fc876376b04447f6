import { expect, test } from 'vitest';
import { CONTEXTS, cacheBytes, memoryFit, memoryNeeded } from './memory';

test('the estimate is within a tenth of what llama.cpp really took, with two contexts of 8k and of 32k', () => {
  // 596 M parameters, 28 layers, 8 kept heads of 128, Q4_0; resident memory without what the system can drop
  const cacheBytesPerToken = cacheBytes({ layers: 28, kvHeads: 8, keyLength: 128, valueLength: 128 });
  const estimate = (window: number) =>
    memoryNeeded({ bytes: 337_413_472, cacheBytesPerToken, window, contexts: CONTEXTS.embedded }) / 1_048_576;
  expect(estimate(8_192) / 2_265).toBeCloseTo(1, 1);
  expect(estimate(32_768) / 7_642).toBeCloseTo(1, 1);
});

test('what fits leaves room for the rest of the machine', () => {
  expect(memoryFit(9.6e9, 16e9)).toBe('fits');
  expect(memoryFit(9.7e9, 16e9)).toBe('tight');
  expect(memoryFit(13.6e9, 16e9)).toBe('tight');
  expect(memoryFit(13.7e9, 16e9)).toBe('too-large');
});
