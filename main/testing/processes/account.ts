import type { MessageId, SessionId } from '../../../shared/model/ids';

/** One message as its sender knows it. */
export interface Sent {
  readonly id: MessageId;
  readonly text: string;
  /** True once the app has answered that it has it; until then it may or may not be there. */
  accepted: boolean;
}

/** What the app has told so far, over all deaths: what must be there afterwards. */
export class Account {
  /** Messages in the order in which they were sent. */
  readonly sent = new Map<SessionId, Sent[]>();
  /** Finished messages as they were last seen: id -> status, number and text. */
  readonly finished = new Map<string, string>();
  /** Answers that grow: pieces in their order, with the wall time at which they were shown. */
  readonly shown = new Map<string, { text: string; pieces: { readonly length: number; readonly wall: number }[] }>();
  /** Answers of which a piece was told twice or never. */
  readonly gaps: string[] = [];

  send(sessionId: SessionId, id: MessageId, text: string): Sent {
    const sent: Sent = { id, text, accepted: false };
    this.sent.set(sessionId, [...(this.sent.get(sessionId) ?? []), sent]);
    return sent;
  }

  delta(id: string, at: number, text: string, wall: number): void {
    const shown = this.shown.get(id) ?? { text: '', pieces: [] };
    if (at !== shown.text.length) this.gaps.push(`a piece of answer ${id} begins at ${at}, not ${shown.text.length}`);
    shown.text += text;
    shown.pieces.push({ length: shown.text.length, wall });
    this.shown.set(id, shown);
  }

  /** What of an answer had been shown at that time. */
  shownAt(id: string, wall: number): string {
    const shown = this.shown.get(id);
    const last = shown?.pieces.findLast((piece) => piece.wall <= wall);
    return shown && last ? shown.text.slice(0, last.length) : '';
  }

  all(): Sent[] {
    return [...this.sent.values()].flat();
  }

  /** After a death: what had no reply was stored, or was not; from now on that is known. */
  settle(stored: (sessionId: SessionId) => readonly string[]): { there: number; missing: number } {
    const found = { there: 0, missing: 0 };
    for (const [sessionId, sent] of this.sent) {
      const ids = new Set(stored(sessionId));
      for (const one of sent) if (!one.accepted) found[ids.has(one.id) ? 'there' : 'missing']++;
      this.sent.set(
        sessionId,
        sent.filter(({ id }) => ids.has(id)).map((one) => ({ ...one, accepted: true })),
      );
    }
    return found;
  }
}
