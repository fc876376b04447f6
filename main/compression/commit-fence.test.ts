import { describe, expect, test } from 'vitest';
import { CommitFence, RETRY } from './commit-fence';

describe('commit fence', () => {
  test('runs the transaction once and is final', () => {
    const fence = new CommitFence();
    expect(fence.commit(() => 7)).toEqual({ kind: 'committed', value: 7 });
    expect(fence.commit(() => 8)).toEqual({ kind: 'refused' });
    expect(fence.cancel()).toBe('commit-started');
  });

  test('a cancelled fence runs nothing', () => {
    const fence = new CommitFence();
    let ran = false;
    expect(fence.cancel()).toBe('cancelled');
    expect(fence.cancel()).toBe('already-cancelled');
    expect(
      fence.commit(() => {
        ran = true;
      }),
    ).toEqual({ kind: 'refused' });
    expect(ran).toBe(false);
  });

  test('inside the transaction it is too late to cancel', () => {
    const fence = new CommitFence();
    const answer = fence.commit(() => fence.cancel());
    expect(answer).toEqual({ kind: 'committed', value: 'commit-started' });
  });

  test('between two tries of a busy commit a cancel wins', () => {
    const fence = new CommitFence();
    expect(fence.commit(() => RETRY)).toEqual({ kind: 'retry' });
    expect(fence.state).toBe('open');
    expect(fence.cancel()).toBe('cancelled');
    expect(fence.commit(() => 1)).toEqual({ kind: 'refused' });
  });

  test('a transaction that throws leaves the fence open', () => {
    const fence = new CommitFence();
    expect(() =>
      fence.commit(() => {
        throw new Error('disk');
      }),
    ).toThrow('disk');
    expect(fence.commit(() => 1)).toEqual({ kind: 'committed', value: 1 });
  });
});
