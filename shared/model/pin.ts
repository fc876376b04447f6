import type { MessageId, PinId } from './ids';
import type { MessageRole } from './message';

/** A place in a message's text, in UTF-16 units: [from, to). */
export interface Excerpt {
  readonly from: number;
  readonly to: number;
}

/** A message, or an excerpt of one, that stays word for word in every context. */
export interface Pin {
  readonly id: PinId;
  readonly messageId: MessageId;
  /** Place of its message on the path. */
  readonly seq: number;
  readonly role: MessageRole;
  /** null = the whole message. */
  readonly excerpt: Excerpt | null;
  /** How it begins, for a list: one line, at most `PIN_WORDS` characters. */
  readonly words: string;
}

/** What a pin adds to the next request. */
export interface PinPrice {
  readonly id: PinId;
  /** Its share of the pin block; while its message is in the live tail, what it will cost once that is covered. */
  readonly tokens: number;
  /** True where its message is covered, so that the pin block carries it. */
  readonly covered: boolean;
}

/** Characters of a pin that a list gets. */
export const PIN_WORDS = 200;
