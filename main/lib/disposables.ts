/** Things to undo, last first. Adding to a set that was disposed of undoes at once. */
export class Disposables {
  #undo: (() => void)[] | null = [];

  add(undo: () => void): void {
    if (this.#undo) this.#undo.push(undo);
    else undo();
  }

  dispose(): void {
    const all = this.#undo ?? [];
    this.#undo = null;
    for (const undo of all.reverse()) undo();
  }
}
