import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import { moveBefore } from './outbox-order';

const ids = ['a', 'b', 'c'] as MessageId[];
const [a, b, c] = ids as [MessageId, MessageId, MessageId];

describe('moveBefore', () => {
  it('names the item it then stands before', () => {
    expect(moveBefore(ids, c, 0)).toBe(a);
    expect(moveBefore(ids, c, 1)).toBe(b);
    expect(moveBefore(ids, a, 1)).toBe(c);
  });

  it('is null at the end', () => {
    expect(moveBefore(ids, a, 2)).toBeNull();
    expect(moveBefore(ids, a, 9)).toBeNull();
  });

  it('asks for nothing where nothing moves', () => {
    expect(moveBefore(ids, b, 1)).toBeUndefined();
    expect(moveBefore(ids, a, -1)).toBeUndefined();
    expect(moveBefore(ids, 'x' as MessageId, 0)).toBeUndefined();
  });
});
