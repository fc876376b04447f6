import { expect, test } from 'vitest';
import type { BranchId, MessageId } from '../../shared/model/ids';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { insertFork } from './branches-table';
import { run } from './database';
import { insertMessage } from './messages-table';
import { PathReader } from './path-reader';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

const read = (branch: BranchId, from = 1, to = 1_000_000) => [...new PathReader(engine.db, branch).pages(from, to)];
const seqs = (branch: BranchId, from?: number, to?: number) =>
  read(branch, from, to)
    .flat()
    .map(({ seq }) => seq);

test('pages are bounded by rows and by characters, and together are the path', () => {
  const { sessionId, branchId } = engine.session(700, 10);
  const pages = read(branchId);
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 1_400 }, (_, i) => i + 1));
  const big = engine.session(0);
  engine.fill(big.sessionId, big.branchId, 4, 400_000);
  expect(read(big.branchId).map((page) => page.length)).toEqual([2, 2, 2, 2]);
  expect(sessionId).not.toBe(big.sessionId);
});

test('a path over forks is read in its order, each message once; what is binned or streaming is left out', () => {
  const { sessionId, branchId } = engine.session(5, 10);
  const fork = engine.write((tx) => insertFork(tx, { sessionId, parentId: branchId, forkSeq: 4, now: 1 }));
  engine.fill(sessionId, fork, 2, 10);
  const inner = engine.write((tx) => insertFork(tx, { sessionId, parentId: fork, forkSeq: 6, now: 1 }));
  engine.fill(sessionId, inner, 1, 10);
  expect(seqs(inner)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(seqs(fork, 3, 7)).toEqual([3, 4, 5, 6, 7]);
  const path = new PathReader(engine.db, inner);
  expect(path.at(5)?.text).toBe(path.at(1)?.text); // of the fork, not the parent's fifth
  expect(path.at(9)).toBeNull();
  engine.write((tx) => run(tx, 'UPDATE messages SET deleted_at = 1 WHERE branch_id = :fork AND seq = 5', { fork }));
  engine.write((tx) => {
    const row = { id: 'streams' as MessageId, sessionId, branchId: inner, turnId: null, now: 1, text: '' };
    insertMessage(tx, { ...row, role: 'assistant', status: 'streaming' });
  });
  expect(seqs(inner)).toEqual([1, 2, 3, 4, 6, 7, 8]);
  expect(path.at(5)).toBeNull();
});

test('the newest answer up to a message is found in whichever branch holds it', () => {
  const { sessionId, branchId } = engine.session(3, 10);
  const fork = engine.write((tx) => insertFork(tx, { sessionId, parentId: branchId, forkSeq: 4, now: 1 }));
  const path = new PathReader(engine.db, fork);
  expect(path.lastAnswer(1_000)).toBe(path.at(4)?.text);
  expect(path.lastAnswer(3)).toBe(path.at(2)?.text);
  expect(path.lastAnswer(1)).toBeNull();
});
