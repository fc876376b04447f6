/** How a scripted server answers the next requests. Everything left out is the friendly case. */
export interface Behavior {
  /** Sends this many pieces, then nothing more until `release()`. */
  readonly stallAfter?: number;
  /** While stalled or keeping silent, sends comments every `keepAliveMs`. */
  readonly keepAliveMs?: number;
  /** Goes on writing after the client has hung up. */
  readonly ignoreAbort?: boolean;
  /** Breaks the connection off after this many pieces. */
  readonly dieAfter?: number;
  /** Sends an error event after this many pieces. */
  readonly errorAfter?: { readonly pieces: number; readonly body: string };
  /** Answers with this instead of a stream. */
  readonly error?: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };
  /** Sends no header until `release()`. */
  readonly holdHeader?: boolean;
  /** Loads, where it is asked to, until `release()`. */
  readonly holdLoad?: boolean;
  /** Says this instead of what it would. */
  readonly text?: string;
  /** Ends with this finish reason after this many pieces. */
  readonly finishAfter?: { readonly pieces: number; readonly reason: string };
  /** Puts this into `reasoning_content` (or Ollama's `thinking`) before the text. */
  readonly thinking?: string;
  /** Calls these tools after its text, where the request offers any and does not end with a result. */
  readonly calls?: readonly { readonly name: string; readonly args: object }[];
  /** Refuses every request that carries tools, as llama.cpp's server does without --jinja. */
  readonly refusesTools?: boolean;
  /** Leaves the usage chunk out. */
  readonly noUsage?: boolean;
}

/** What a server saw and did with one request. */
export interface JournalEntry {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Record<string, unknown>;
  /** Pieces of text sent so far. */
  pieces: number;
  bytes: number;
  /** True once the client hung up before the end. */
  aborted: boolean;
  /** Bytes that this server wrote after that. */
  bytesAfterAbort: number;
  ended: boolean;
  /** Resolves when the answer is over, by its end or by the client's going. */
  readonly over: Promise<void>;
}
