/** What ends with this process, whatever way it ends in: a last step that must not wait for anything. */
const live = new Set<() => void>();

/** Answers the way to take it back. */
export function endWithProcess(end: () => void): () => void {
  live.add(end);
  return () => live.delete(end);
}

/** Ends every program that was started, in this step. */
export function endAllTrees(): void {
  for (const end of live) end();
}
