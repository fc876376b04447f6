import type { BranchId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import type { CharCounts } from '../lib/char-counts';
import { shortenedText } from '../sessions/attached-text';
import { pathOf, type Stretch } from './branches-table';
import { each, one, type ReadDb } from './database';
import { type MessageParts, withCalls } from './message-parts';

/** A message as far as compression reads it. */
export interface ReadRow extends CharCounts {
  readonly seq: number;
  readonly role: MessageRole;
  /** A file in it is its name, size and first lines: what it says is found by a search. */
  readonly text: string;
  /** UTF-16 units of the text before its files; null = there are none. */
  readonly typed: number | null;
}

interface ReadColumns extends Omit<ReadRow, 'typed'> {
  readonly parts: string | null;
}

function toRow({ seq, role, text, parts, ascii, cjk, other }: ReadColumns): ReadRow {
  const { attached, calls = [] } = parts === null ? {} : (JSON.parse(parts) as MessageParts);
  const said = attached ? shortenedText(text, attached) : withCalls(text, calls);
  return { seq, role, text: said, typed: attached ? attached.typed : null, ascii, cjk, other };
}

/** A page ends at whichever comes first, so that no read holds much memory or lasts long. */
const PAGE_ROWS = 500;
const PAGE_CHARS = 500_000;

const SELECT =
  'SELECT m.seq, m.role, m.text, m.parts, m.ascii_chars AS ascii, m.cjk_chars AS cjk, m.other_chars AS other FROM messages m';
const LIVE = `m.status <> 'streaming' AND m.deleted_at IS NULL`;

/** Reads a long path in pages, each with a statement of its own: no cursor stays open between two of them. */
export class PathReader {
  readonly #db: ReadDb;
  /** Oldest first. */
  readonly #stretches: readonly Stretch[];

  constructor(db: ReadDb, branch: BranchId) {
    this.#db = db;
    this.#stretches = pathOf(db, branch).reverse();
  }

  /** Messages with from <= seq <= to, in order; binned and streaming ones are left out. */
  *pages(from: number, to: number): Generator<readonly ReadRow[], void> {
    for (const { branchId, low, high } of this.#stretches) {
      let after = Math.max(low, from - 1);
      const last = Math.min(high, to);
      while (after < last) {
        const page = this.#page(branchId, after, last);
        if (page.length > 0) yield page;
        const end = page.at(-1);
        if (!end) break;
        after = end.seq;
      }
    }
  }

  /** One message; null = it is not on the path, or in the bin. */
  at(seq: number): ReadRow | null {
    const stretch = this.#stretches.find(({ low, high }) => seq > low && seq <= high);
    if (!stretch) return null;
    const bound = { branch: stretch.branchId, seq };
    const row = one<ReadColumns>(this.#db, `${SELECT} WHERE m.branch_id = :branch AND m.seq = :seq AND ${LIVE}`, bound);
    return row && toRow(row);
  }

  /** The newest complete answer up to that message. */
  lastAnswer(to: number): string | null {
    for (const { branchId, low, high } of [...this.#stretches].reverse()) {
      const row = one<{ text: string }>(
        this.#db,
        `SELECT m.text FROM messages m WHERE m.branch_id = :branch AND m.seq > :low AND m.seq <= :high
         AND m.role = 'assistant' AND m.text <> '' AND ${LIVE} ORDER BY m.seq DESC LIMIT 1`,
        { branch: branchId, low, high: Math.min(high, to) },
      );
      if (row) return row.text;
    }
    return null;
  }

  #page(branch: BranchId, after: number, to: number): ReadRow[] {
    const page: ReadRow[] = [];
    let chars = 0;
    const rows = each<ReadColumns>(
      this.#db,
      `${SELECT} WHERE m.branch_id = :branch AND m.seq > :after AND m.seq <= :to AND ${LIVE} ORDER BY m.seq LIMIT ${PAGE_ROWS}`,
      { branch, after, to },
    );
    for (const row of rows) {
      page.push(toRow(row));
      chars += row.text.length;
      if (chars >= PAGE_CHARS) break; // closes the statement
    }
    return page;
  }
}
