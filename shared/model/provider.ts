import type { ErrorCode, ErrorFields } from '../errors';
import type { ProviderId } from './ids';

export const providerKinds = ['embedded', 'ollama', 'openai'] as const;
export type ProviderKind = (typeof providerKinds)[number];

export type ModelState = 'loaded' | 'loading' | 'not-loaded' | 'unknown';

export interface Model {
  /** The name the provider gives it; for embedded models the file's path. */
  readonly model: string;
  /** What is shown. */
  readonly name: string;
  readonly state: ModelState;
  readonly served: number | null;
  readonly trained: number | null;
  readonly bytes: number | null;
  /** Cache of one token in one context, in bytes; null = its sizes are not known. */
  readonly cacheBytesPerToken: number | null;
  /** The window that the user has set for this model alone; null = its provider's. Tokens. */
  readonly chosenWindow: number | null;
  /** The app downloaded its file, and may therefore delete it. */
  readonly downloaded: boolean;
  /** False for the practice model, which can only repeat. */
  readonly canSummarize: boolean;
  /** True where it says that it takes pictures. */
  readonly sees: boolean;
  /** The built-in model that repeats what it is told. */
  readonly practice: boolean;
}

export type ProviderState =
  /** `away` = when it was asked before nobody answered. */
  | { readonly kind: 'asking'; readonly away: boolean }
  | { readonly kind: 'ready'; readonly answeredInMs: number | null }
  | { readonly kind: 'offline'; readonly nextTryAt: number | null }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly fields: ErrorFields };

export interface Provider {
  readonly id: ProviderId;
  readonly kind: ProviderKind;
  readonly name: string;
  /** null for embedded. */
  readonly address: string | null;
  readonly origin: 'built-in' | 'found' | 'user';
  /** True where a session's text would leave this machine. */
  readonly remote: boolean;
  readonly hasKey: boolean;
  /** The context window asked for where the server lets one ask (Ollama, embedded); null = the default. */
  readonly askWindow: number | null;
  readonly state: ProviderState;
  readonly models: readonly Model[];
}
