/**
 * Every way in which a request of the renderer can be refused. The renderer turns code and fields into one
 * plain sentence; no sentence is made in main.
 */
export const errorCodes = [
  'bad-input', // the input does not fit the route's schema
  'not-found', // fields: what
  'already-ended', // the thing to be cancelled or changed has ended meanwhile
  'busy', // the database stayed busy for 5 s
  'turn-running', // the session already runs a turn
  'held-elsewhere', // another window holds the session's lease
  'nothing-to-compress',
  'range-unknown', // which messages the user had chosen is not known after a new start
  'summary-empty', // no line is left
  'summary-too-large', // fields: tokens, covered
  'summary-changed', // it is no longer what is shown
  'summary-outdated', // what it was built on was changed: it can no longer be accepted
  'summaries-cross', // it would overlap one that is used now
  'does-not-fit', // fields: needTokens, windowTokens
  'model-in-use', // something runs on it; fields: model
  'model-downloading', // a window on this profile writes its file; fields: model
  'no-model', // the session names no usable model
  'unreachable', // fields: address, reason
  'connection-lost', // the server, or the way to it, went in the middle of an answer; fields: address
  'refused-by-server', // fields: status, message
  'not-a-model-file', // fields: file, reason
  'file-unreadable', // fields: file, reason
  'unsupported-file', // fields: file
  'attachment-folder', // fields: file
  'attachment-empty', // fields: file
  'attachment-kind', // neither text nor a document that can be read; fields: file
  'attachment-image', // the model does not say that it sees; fields: file, model
  'attachment-too-large', // fields: file, bytes, limit
  'attachment-too-long', // the text of all files together; fields: file, limit
  'attachment-locked', // a document that asks for a password; fields: file
  'attachment-damaged', // fields: file
  'attachment-no-text', // a document that holds pictures of pages only; fields: file
  'too-many-attachments', // fields: limit
  'insecure-address', // a key may not go to a plain-http remote host
  'password-in-address', // a name or a password stands in the address of a tool server
  'shortcut-taken', // fields: shortcut
  'shortcut-invalid', // fields: shortcut
  'tool-runs-too-long', // a command line that nobody can read in a dialog; fields: limit
  'tool-no-command', // fields: command
  'tool-not-started', // fields: command, reason
  'tool-server-exited', // fields: code, said
  'tool-server-silent', // fields: seconds
  'tool-server-flooded', // fields: what
  'tool-server-unknown', // it speaks, but no MCP; fields: said
  'tool-server-version', // fields: version
  'tool-server-refused', // fields: status, said
  'tool-server-unwilling', // it answers its start with an error of the protocol; fields: said
  'tool-server-lost', // fields: address, reason
  'no-keyring', // secrets cannot be encrypted on this machine
  'disk-full',
  'internal', // a fault of the app; fields: message
] as const;
export type ErrorCode = (typeof errorCodes)[number];
export type ErrorFields = Readonly<Record<string, string | number>>;

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: ErrorFields;
  constructor(code: ErrorCode, fields: ErrorFields = {}, cause?: unknown) {
    super(`${code} ${JSON.stringify(fields)}`, { cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
  }
}
