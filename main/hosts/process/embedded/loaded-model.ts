import type { ChatHistoryItem, ChatWrapper, Llama, LlamaModel, Token } from 'node-llama-cpp';
import type { Clock } from '../../../lib/clock';
import type { Target } from '../../protocol';
import { JobFailure } from '../job-failure';
import { readGgufHeader } from './gguf-header';
import { Lane } from './lane';

export type EmbeddedTarget = Extract<Target, { kind: 'embedded' }>;
type Library = typeof import('node-llama-cpp');

/** Tokens evaluated at once, at most. */
const BATCH_TOKENS = 512;

/** One GGUF file in memory with the window it was asked for. */
export class LoadedModel {
  readonly model: LlamaModel;
  /** Tokens of prompt and answer together. */
  readonly window: number;
  readonly trained: number;
  readonly #library: Library;
  readonly #threads: number;
  readonly #clock: Clock;
  #wrapper: ChatWrapper | null = null;
  readonly #lanes = new Map<'chat' | 'summary', Promise<Lane>>();

  private constructor(library: Library, model: LlamaModel, target: EmbeddedTarget, clock: Clock) {
    this.#clock = clock;
    this.#library = library;
    this.#threads = target.threads;
    this.model = model;
    this.trained = model.trainContextSize;
    this.window = this.trained > 0 ? Math.min(target.askWindow, this.trained) : target.askWindow;
  }

  /**
   * Loads file and chat context. `progress` hears percent. Throws JobFailure with cause `load`: no such file, not a
   * GGUF, broken, or too big for the memory.
   */
  static async load(target: EmbeddedTarget, clock: Clock, progress: (percent: number) => void): Promise<LoadedModel> {
    try {
      await readGgufHeader(target.path); // the library can hang on a file that only begins like a model
      const library = await import('node-llama-cpp');
      const llama: Llama = await library.getLlama({
        gpu: process.env.PALIMPSEST_GPU === 'off' ? false : 'auto',
        build: 'never', // a missing binary would otherwise start a compiler
        maxThreads: target.threads, // ggml's threads spin: one too many makes it 100 times slower
        skipDownload: true,
        logLevel: library.LlamaLogLevel.error,
      });
      const model = await llama.loadModel({
        modelPath: target.path,
        onLoadProgress: (share) => progress(Math.round(share * 100)),
      });
      const loaded = new LoadedModel(library, model, target, clock);
      await loaded.lane('chat');
      return loaded;
    } catch (error) {
      throw loadFailure(error);
    }
  }

  /** The sequence for chats, or the one for summaries, made on first need. */
  lane(kind: 'chat' | 'summary'): Promise<Lane> {
    const known = this.#lanes.get(kind);
    if (known) return known;
    const made = this.#newLane().catch((error: unknown) => {
      this.#lanes.delete(kind); // memory that is short now may be free at the next request
      throw loadFailure(error);
    });
    this.#lanes.set(kind, made);
    return made;
  }

  /** Gives back the memory of the summaries' context once nobody uses it. */
  async dropSummaryLane(): Promise<void> {
    const lane = await this.#lanes.get('summary')?.catch(() => null);
    if (!lane?.idle) return;
    this.#lanes.delete('summary');
    await lane.context.dispose();
  }

  /** Exact tokens of a prompt as generation will see it. */
  promptTokens(history: ChatHistoryItem[]): Token[] {
    this.#wrapper ??= this.#library.resolveChatWrapper(this.model);
    const { contextText } = this.#wrapper.generateContextState({ chatHistory: history });
    return contextText.tokenize(this.model.tokenizer);
  }

  async dispose(): Promise<void> {
    await this.model.dispose();
  }

  async #newLane(): Promise<Lane> {
    const context = await this.model.createContext({
      contextSize: this.window,
      batchSize: Math.min(BATCH_TOKENS, this.window),
      threads: this.#threads,
      sequences: 1,
    });
    const sequence = context.getSequence();
    return new Lane(context, sequence, new this.#library.LlamaChat({ contextSequence: sequence }), this.#clock);
  }
}

function loadFailure(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  const name = error instanceof Error ? error.name : 'Error';
  return new JobFailure('died', 'load', error instanceof Error ? error.message : String(error), {}, name);
}
