import { z } from 'zod';
import type { ErrorCode, ErrorFields } from '../errors';
import { hasHidden } from '../hidden-characters';
import type { ToolServerId } from './ids';

/** Why a tool of a server is not offered to models. */
export type LeftOutReason = 'name' | 'schema' | 'too-large' | 'twice' | 'too-many';

export interface ServerTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  /** True where it may be called in every chat without a question. */
  readonly always: boolean;
  /** null = it is offered. */
  readonly leftOut: LeftOutReason | null;
}

export type ToolServerState =
  | { readonly kind: 'off' }
  /** It starts when a chat, or the settings, need it. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'starting' }
  /** `title` = what it calls itself, with its version. */
  | { readonly kind: 'ready'; readonly title: string }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly fields: ErrorFields };

/** How a server is reached, without its secrets. */
export type ShownTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Names of its variables. */
      readonly variables: readonly string[];
    }
  | { readonly kind: 'http'; readonly url: string; readonly hasToken: boolean };

export interface ToolServer {
  readonly id: ToolServerId;
  readonly name: string;
  /** With which the names of its tools begin where models are told of them. */
  readonly prefix: string;
  readonly transport: ShownTransport;
  readonly state: ToolServerState;
  readonly tools: readonly ServerTool[];
  /** The last lines of its error output. */
  readonly stderr: readonly string[];
}

/** A folder that models may read, by the name under which they know it. */
export interface ToolFolder {
  readonly name: string;
  readonly path: string;
}

/** What the settings show of tools. */
export interface ToolsView {
  readonly servers: readonly ToolServer[];
  readonly folders: readonly ToolFolder[];
}

export const toolAnswers = ['once', 'session', 'always', 'deny'] as const;
/** What the user says to a call that waits. */
export type ToolAnswer = (typeof toolAnswers)[number];

/** A call that waits for the user. Its name and arguments are those of the call itself. */
export interface ToolQuestion {
  readonly callId: string;
  /** What the user calls the server. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** True where it was allowed before and has changed since. */
  readonly changed: boolean;
}

const noNul = (text: string) => !text.includes('\0');
const word = (max: number) => z.string().max(max).refine(noNul);

export const isVariableName = (name: string) => /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name);

/** A variable's value: null = as it is stored. */
const variable = z.object({
  name: z.string().max(200).refine(isVariableName),
  value: word(20_000).nullable(),
});

/** How a server is to be reached, as the user entered it. `null` for a secret = as it is stored, '' = none. */
export const enteredTransport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stdio'),
    command: word(2_000).trim().min(1),
    args: z.array(word(8_000)).max(100),
    variables: z.array(variable).max(50),
  }),
  z.object({
    kind: z.literal('http'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .refine((url) => !hasHidden(url)),
    token: word(8_000).nullable(),
  }),
]);
export type EnteredTransport = z.infer<typeof enteredTransport>;
