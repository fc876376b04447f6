import type { ProviderKind } from '../../shared/model/provider';
import type { Flavor } from './asked-server';

/** Where local servers listen unless told otherwise. Sources: each project's documentation. */
export interface Candidate {
  readonly kind: Exclude<ProviderKind, 'embedded'>;
  readonly port: number;
  readonly name: string;
}
export const CANDIDATES: readonly Candidate[] = [
  { kind: 'ollama', port: 11_434, name: 'Ollama' },
  { kind: 'openai', port: 1_234, name: 'LM Studio' },
  { kind: 'openai', port: 8_080, name: 'llama.cpp' },
  { kind: 'openai', port: 8_000, name: 'vLLM' },
  { kind: 'openai', port: 1_337, name: 'Jan' },
];

/** A local server answers within this or is not there. Milliseconds. */
export const LOCAL_ASK_MS = 1_500;
/** A remote service may be far away. */
export const REMOTE_ASK_MS = 10_000;
/** Servers are asked again this often while something shows them. */
export const ASK_AGAIN_MS = 30_000;

export function candidateAddress({ kind, port }: Candidate): string {
  return kind === 'ollama' ? `http://127.0.0.1:${port}` : `http://127.0.0.1:${port}/v1`;
}

/** What a found server is called: by what it is, where that shows, else by the port it was found on. */
export function nameOf(candidate: Candidate, flavor: Flavor): string {
  switch (flavor) {
    case 'ollama':
      return 'Ollama';
    case 'llama.cpp':
      return 'llama.cpp';
    case 'lm-studio':
      return 'LM Studio';
    case 'vllm':
      return 'vLLM';
    case 'jan':
      return 'Jan';
    case 'other':
      return candidate.name === 'Jan' || candidate.name === 'LM Studio'
        ? candidate.name
        : `Server on port ${candidate.port}`;
  }
}

/** Two addresses of one server: this machine has several names. */
export function sameServer(one: string, other: string): boolean {
  const key = (address: string) => {
    const url = new URL(address);
    const host = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname) ? 'loopback' : url.hostname;
    return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/v1\/?$|\/$/, '')}`;
  };
  return key(one) === key(other);
}
