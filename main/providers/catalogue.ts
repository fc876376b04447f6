import { type CatalogueId, catalogueId } from '../../shared/model/download';
import type { AttentionShape } from '../../shared/model/memory';

/** A file that never changes: this commit of its repository, with what it has to be. */
export interface Pin {
  readonly revision: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One model that the app offers to download. */
export interface CatalogueEntry {
  readonly id: CatalogueId;
  readonly name: string;
  /** SPDX name of the licence of the weights. */
  readonly licence: string;
  /** Billions of parameters. */
  readonly parameters: number;
  readonly shape: AttentionShape;
  /** Repository and file on the hub. */
  readonly repo: string;
  readonly file: string;
  /**
   * null = no value was found that several sources agree on: the hub is then asked for size and checksum right before
   * the download, over TLS, and the file has to be that.
   */
  readonly pin: Pin | null;
}

const shape = (layers: number, kvHeads: number, length: number): AttentionShape => ({
  layers,
  kvHeads,
  keyLength: length,
  valueLength: length,
});

/**
 * Well-known instruct models that need no account, from small to large; all quantized as Q4_K_M. A pin was taken over
 * only where at least three public sources that had the file in hand name the same commit, size and checksum.
 */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    id: catalogueId.parse('qwen2.5-0.5b-instruct'),
    name: 'Qwen2.5 0.5B Instruct',
    licence: 'Apache-2.0',
    parameters: 0.5,
    shape: shape(24, 2, 64),
    repo: 'Qwen/Qwen2.5-0.5B-Instruct-GGUF',
    file: 'qwen2.5-0.5b-instruct-q4_k_m.gguf',
    pin: {
      revision: '9217f5db79a29953eb74d5343926648285ec7e67',
      bytes: 491_400_032,
      sha256: '74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db',
    },
  },
  {
    id: catalogueId.parse('qwen2.5-1.5b-instruct'),
    name: 'Qwen2.5 1.5B Instruct',
    licence: 'Apache-2.0',
    parameters: 1.5,
    shape: shape(28, 2, 128),
    repo: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF',
    file: 'qwen2.5-1.5b-instruct-q4_k_m.gguf',
    pin: {
      revision: '91cad51170dc346986eccefdc2dd33a9da36ead9',
      bytes: 1_117_320_736,
      sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    },
  },
  {
    id: catalogueId.parse('qwen3-4b-instruct-2507'),
    name: 'Qwen3 4B Instruct 2507',
    licence: 'Apache-2.0',
    parameters: 4,
    shape: shape(36, 8, 128),
    repo: 'bartowski/Qwen_Qwen3-4B-Instruct-2507-GGUF',
    file: 'Qwen_Qwen3-4B-Instruct-2507-Q4_K_M.gguf',
    pin: {
      revision: 'ae44f08e1392f39c0e474af10c3ff8355c8b6688',
      bytes: 2_497_280_736,
      sha256: '2fde00ce69dd4899c70d020845e2638353015bba0fdf161b3eb965f2bca4464e',
    },
  },
  {
    id: catalogueId.parse('mistral-7b-instruct-v0.3'),
    name: 'Mistral 7B Instruct v0.3',
    licence: 'Apache-2.0',
    parameters: 7.2,
    shape: shape(32, 8, 128),
    repo: 'bartowski/Mistral-7B-Instruct-v0.3-GGUF',
    file: 'Mistral-7B-Instruct-v0.3-Q4_K_M.gguf',
    pin: null,
  },
  {
    id: catalogueId.parse('qwen2.5-7b-instruct'),
    name: 'Qwen2.5 7B Instruct',
    licence: 'Apache-2.0',
    parameters: 7.6,
    shape: shape(28, 4, 128),
    repo: 'bartowski/Qwen2.5-7B-Instruct-GGUF',
    file: 'Qwen2.5-7B-Instruct-Q4_K_M.gguf',
    pin: {
      revision: '8911e8a47f92bac19d6f5c64a2e2095bd2f7d031',
      bytes: 4_683_074_240,
      sha256: '65b8fcd92af6b4fefa935c625d1ac27ea29dcb6ee14589c55a8f115ceaaa1423',
    },
  },
];
