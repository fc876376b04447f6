import { AppError } from '../../shared/errors';
import type { ModelRef, ProviderId } from '../../shared/model/ids';
import type { Model, Provider } from '../../shared/model/provider';
import type { ChatMessage, Job, ResultOf, ToolSpec } from '../hosts/protocol';
import { isRefusal, type StreamEnd, type StreamOpener } from '../hosts/stream-handle';
import type { CharCounts } from '../lib/char-counts';
import type { Clock } from '../lib/clock';
import { Emitter } from '../lib/emitter';
import type { Ids } from '../lib/ids';
import { isRemote, type Network } from './ask-http';
import { CANDIDATES, type Candidate } from './discovery';
import { EMBEDDED, EmbeddedFiles } from './embedded-files';
import {
  askedWindow,
  findModel,
  type KnownModel,
  type KnownProvider,
  loadsOnDemand,
  modelsOf,
  settingsHash,
  shown,
  targetOf,
  windowOf,
} from './known-provider';
import { loadError } from './load-error';
import { type KeyStore, ProviderBook } from './provider-book';
import type { ProviderRows, WindowRows } from './provider-rows';
import type { ModelFacts, Models } from './registry-types';
import { CUT_SHARE, calibrate, DEFAULT_RATES, looksCut, PRACTICE_RATES, smoothed } from './token-rates';
import { WindowBook } from './window-book';

/** How long a model is kept, where nothing else was said. Milliseconds. */
const KEEP_MS = 600_000;

/** An exact count that takes longer is not waited for. Milliseconds. */
const COUNT_MS = 2_000;

export interface RegistryOptions {
  readonly rows: ProviderRows;
  readonly windows: WindowRows;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The host pool. */
  readonly hosts: StreamOpener & {
    unload(path: string): Promise<void>;
    memoryOf(path: string): Exclude<Model['state'], 'unknown'>;
    inUse(path: string): boolean;
    readonly changed: Emitter<void>;
  };
  /** null where the app came without one. */
  readonly practiceFile: string | null;
  readonly threads: number;
  /** How long a model is kept without work; null = until the app ends. Milliseconds. */
  readonly keepMs?: () => number | null;
  /** True for a file that the app downloaded. */
  readonly isDownloaded?: (path: string) => boolean;
  /** The default that the user has chosen in the settings. */
  readonly chosenDefault: () => ModelRef | null;
  /** Where local servers are looked for; empty = nowhere. */
  readonly candidates?: readonly Candidate[];
  readonly network: Network;
}

/** All providers and models of this profile: what there is, what each can take, and what was learned about it. */
export class Registry implements Models {
  readonly changed = new Emitter<readonly Provider[]>();
  readonly #options: RegistryOptions;
  readonly #book: ProviderBook;
  readonly #windows: WindowBook;
  readonly #files: EmbeddedFiles;
  readonly #loading = new Set<string>();
  /** Models whose servers refused tools. Not stored: a server may have been started anew with them. */
  readonly #withoutTools = new Set<string>();
  #held = '';

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#windows = new WindowBook(options.windows, () => options.clock.wall());
    this.#book = new ProviderBook({
      ...options,
      candidates: options.candidates ?? CANDIDATES,
      changed: () => this.changed.emit(this.list()),
      answered: (before, now) => this.#forgetLearned(before, now),
    });
    this.#files = new EmbeddedFiles(this.#book, options.hosts);
    options.hosts.changed.on(() => this.#showHeld());
    if (!this.#book.get(EMBEDDED)) {
      const createdAt = options.clock.wall();
      const name = 'On this computer';
      this.#book.insert({
        id: EMBEDDED,
        kind: 'embedded',
        name,
        address: null,
        origin: 'built-in',
        fields: {},
        createdAt,
      });
    }
  }

  /** Reads the heads of the GGUF files. The practice model is there when it resolves; no server is asked. */
  start(): Promise<void> {
    return this.#files.start(this.#options.practiceFile);
  }

  list(): Provider[] {
    return this.#book.all().map((known) =>
      shown(known, this.#book.hasKey(known.row.id), (model) => ({
        window: windowOf(
          known.row,
          model,
          this.#windows.learned(refOf(known, model), settingsHash(known.row, model.model)),
        ),
        state: this.#stateOf(known, model),
        downloaded: model.path !== null && (this.#options.isDownloaded?.(model.path) ?? false),
      })),
    );
  }

  /** While something shows providers they are asked each 30 s. Answers the way to stop. */
  need(): () => void {
    return this.#book.need();
  }

  async add(input: {
    kind: 'ollama' | 'openai';
    name: string;
    address: string;
    key: string | null;
  }): Promise<Provider> {
    const { kind, address } = input;
    const name = input.name.trim() || new URL(address).host;
    return this.#shownOf(await this.#book.add({ kind, name, address, origin: 'user' }, input.key || null));
  }

  /** What is not named stays. `key`: an empty text takes it away. `askWindow`: null = the default. */
  async change(
    id: ProviderId,
    patch: { address?: string | undefined; key?: string | undefined; askWindow?: number | null | undefined },
  ): Promise<Provider> {
    const { address, key, askWindow } = patch;
    this.#book.change(id, {
      ...(address === undefined ? {} : { address }),
      key: key ?? null,
      ...(askWindow === undefined ? {} : { fields: { askWindow } }),
    });
    await this.#book.ask(id);
    return this.#shownOf(id);
  }

  remove(id: ProviderId): void {
    if (id === EMBEDDED) throw new AppError('bad-input', { what: 'built-in' });
    this.#book.remove(id);
  }

  /** Asks one provider, or all and the usual local ports. Resolves when all have answered or not. */
  async test(id: ProviderId | null): Promise<void> {
    if (id === null) await this.#book.askAll();
    else {
      this.#book.require(id);
      await this.#book.ask(id);
    }
  }

  /** Adds GGUF files; answers how many are new. Throws `not-a-model-file` or `file-unreadable` for the first bad one. */
  addFiles(paths: readonly string[]): Promise<number> {
    return this.#files.add(paths);
  }

  /**
   * Takes a GGUF file off the list, out of memory first, and answers its path. The file stays.
   * @throws AppError `model-in-use` while it answers or writes a summary.
   */
  removeModel(ref: ModelRef): Promise<string> {
    return this.#files.remove(ref);
  }

  /** The window to ask for with this model alone; null = its provider's. Tokens. */
  async setWindow(ref: ModelRef, tokens: number | null): Promise<void> {
    const { row } = this.#book.require(ref.providerId);
    const { [ref.model]: _, ...others } = row.fields.askWindows ?? {};
    this.#book.update({
      ...row,
      fields: { ...row.fields, askWindows: tokens === null ? others : { ...others, [ref.model]: tokens } },
    });
    await this.#book.ask(ref.providerId);
  }

  /** Loads a model into memory where one can ask for that. Throws AppError with the reason. */
  async load(ref: ModelRef): Promise<void> {
    const facts = this.#require(ref);
    if (facts.target.kind === 'openai') throw new AppError('bad-input', { what: 'this server loads by itself' });
    const key = JSON.stringify(ref);
    this.#loading.add(key);
    this.changed.emit(this.list());
    try {
      const end = await this.#run({ kind: 'load', target: facts.target });
      if (end.t !== 'result') throw loadError(facts, end);
      this.#withoutTools.delete(key);
      this.#learnAnew(ref);
    } finally {
      this.#loading.delete(key);
      this.changed.emit(this.list());
    }
    await this.#book.ask(ref.providerId);
  }

  async unload(ref: ModelRef): Promise<void> {
    const facts = this.#require(ref);
    const { target } = facts;
    if (target.kind === 'embedded') await this.#files.letGo({ path: target.path, name: facts.name });
    else if (target.kind === 'ollama') await this.#run({ kind: 'unload', target });
    this.#learnAnew(ref);
    await this.#book.ask(ref.providerId);
    this.changed.emit(this.list());
  }

  facts(ref: ModelRef): ModelFacts | null {
    const known = this.#book.get(ref.providerId);
    const model = known && findModel(known, ref.model);
    if (!known || !model) return null;
    const settings = settingsHash(known.row, ref.model);
    const { threads, keepMs = () => KEEP_MS } = this.#options;
    const target = targetOf(known, model, this.#book.key(ref.providerId), { threads, keepMs: keepMs() });
    return {
      ref,
      name: model.name,
      target,
      window: windowOf(known.row, model, this.#windows.learned(ref, settings)),
      rates: this.#windows.rates(ref, settings, model.practice ? PRACTICE_RATES : DEFAULT_RATES),
      prefillRate: this.#windows.get(ref, settings).prefillRate,
      canSummarize: !model.practice,
      tools: model.tools && !this.#withoutTools.has(JSON.stringify(ref)),
      sees: model.sees,
      remote: isRemote(known.row.address),
      outputCap: null,
      oneAtATime: target.kind === 'embedded' || (!isRemote(known.row.address) && (model.parallel ?? 1) === 1),
      countsExactly: target.kind === 'embedded' || (target.kind === 'openai' && target.llamaServer === true),
    };
  }

  /** The chosen one; else a loaded model of this machine, a GGUF file, any local model; else the practice model. */
  defaultModel(): ModelRef | null {
    const chosen = this.#options.chosenDefault();
    if (chosen && this.facts(chosen)) return chosen;
    const local = this.#book
      .all()
      // Never a remote one by itself: text leaves this machine only where the user has said so.
      .filter(({ row, state }) => state.kind === 'ready' && !isRemote(row.address))
      .flatMap((known) => modelsOf(known).map((model) => ({ ref: refOf(known, model), model })));
    const real = local.filter(({ model }) => !model.practice);
    const best = real.find(({ model }) => model.state === 'loaded') ?? real.find(({ model }) => model.path) ?? real[0];
    return (best ?? local[0])?.ref ?? null;
  }

  async count(
    ref: ModelRef,
    messages: readonly ChatMessage[],
    tools: readonly ToolSpec[] = [],
  ): Promise<number | null> {
    const facts = this.facts(ref);
    if (!facts?.countsExactly) return null;
    const offered = tools.length === 0 ? {} : { tools };
    const end = await this.#run({ kind: 'count', target: facts.target, messages, ...offered }, COUNT_MS);
    return end?.t === 'result' ? (end.value as ResultOf['count']).tokens : null;
  }

  reported(
    ref: ModelRef,
    sent: CharCounts,
    messages: number,
    promptTokens: number,
    speeds: { prefill?: number; decode?: number },
  ): void {
    const facts = this.facts(ref);
    const known = this.#book.get(ref.providerId);
    if (!facts || !known) return;
    const settings = settingsHash(known.row, ref.model);
    const before = this.#windows.get(ref, settings);
    const rates = calibrate(facts.rates, { sent, messages, promptTokens, window: facts.window.served });
    this.#windows.change(ref, settings, {
      ...(rates === facts.rates ? {} : { asciiRate: rates.ascii, cjkRate: rates.cjk, otherRate: rates.other }),
      ...(speeds.prefill === undefined ? {} : { prefillRate: smoothed(before.prefillRate, speeds.prefill) }),
      ...(speeds.decode === undefined ? {} : { decodeRate: smoothed(before.decodeRate, speeds.decode) }),
    });
    if (loadsOnDemand(known, ref.model)) void this.#book.ask(ref.providerId);
  }

  async promptCut(ref: ModelRef, promptTokens: number, counted: number): Promise<number | null> {
    const before = this.#book.get(ref.providerId);
    // a count that has any other cause is not worth a question
    if (!before || before.refusesLong || promptTokens >= counted * CUT_SHARE) return null;
    await this.#book.ask(ref.providerId); // what it really gives is known once it has loaded the model
    const known = this.#book.get(ref.providerId);
    const model = known && findModel(known, ref.model);
    if (!known || !model) return null;
    const cutAt = (window: number | null) => looksCut(promptTokens, counted, window);
    // half of what was asked for is all of a window, or half of one: what was read is served for certain
    const proved = cutAt(model.reported) ? model.reported : cutAt(askedWindow(known.row, model)) ? promptTokens : null;
    if (proved !== null && proved < (this.facts(ref)?.window.served ?? Number.POSITIVE_INFINITY))
      this.learnWindow(ref, proved);
    return proved;
  }

  learnWindow(ref: ModelRef, servedTokens: number): void {
    const known = this.#book.get(ref.providerId);
    if (!known || !Number.isSafeInteger(servedTokens) || servedTokens <= 0) return;
    this.#windows.change(ref, settingsHash(known.row, ref.model), { served: servedTokens, source: 'learned' });
    this.changed.emit(this.list());
  }

  learnNoTools(ref: ModelRef): void {
    this.#withoutTools.add(JSON.stringify(ref));
  }

  /** A learned window holds until the server reports another one. */
  #forgetLearned(before: KnownProvider, now: KnownProvider): void {
    for (const { model, reported } of now.asked) {
      const old = before.asked.find((other) => other.model === model);
      const ref = { providerId: now.row.id, model };
      if (old && old.reported !== null && reported !== null && old.reported !== reported) this.#learnAnew(ref);
    }
  }

  #learnAnew(ref: ModelRef): void {
    const known = this.#book.get(ref.providerId);
    if (!known) return;
    const settings = settingsHash(known.row, ref.model);
    if (this.#windows.learned(ref, settings) === null) return;
    this.#windows.change(ref, settings, { served: null, source: 'unknown' });
  }

  #stateOf(known: KnownProvider, model: KnownModel): Model['state'] {
    if (this.#loading.has(JSON.stringify(refOf(known, model)))) return 'loading';
    if (model.path === null) return model.state;
    return this.#options.hosts.memoryOf(model.path);
  }

  /** Says so when a GGUF file came into memory or went, and not when other processes did. */
  #showHeld(): void {
    const files = this.#book.get(EMBEDDED)?.files ?? [];
    const held = files.map(({ path }) => this.#options.hosts.memoryOf(path)).join();
    if (held === this.#held) return;
    this.#held = held;
    this.changed.emit(this.list());
  }

  #shownOf(id: ProviderId): Provider {
    const provider = this.list().find((one) => one.id === id);
    if (!provider) throw new AppError('not-found', { what: 'provider' });
    return provider;
  }

  #require(ref: ModelRef): ModelFacts {
    const facts = this.facts(ref);
    if (!facts) throw new AppError('not-found', { what: 'model' });
    return facts;
  }

  /** Without a limit it ends with the stream; null = it took longer, and is being stopped. */
  #run(job: Job): Promise<StreamEnd>;
  #run(job: Job, limitMs: number): Promise<StreamEnd | null>;
  #run(job: Job, limitMs?: number): Promise<StreamEnd | null> {
    const opened = this.#options.hosts.open(job);
    if (isRefusal(opened)) return Promise.resolve({ t: 'exited', code: null, killedByUs: true });
    return new Promise((resolve) => {
      const giveUp = () => {
        opened.cancel('idle');
        resolve(null);
      };
      const disarm = limitMs === undefined ? () => {} : this.#options.clock.after(limitMs, giveUp);
      opened.on((event) => {
        if (event.t !== 'settled') return;
        disarm();
        resolve(event.end);
      });
    });
  }
}

function refOf(known: KnownProvider, model: { readonly model: string }): ModelRef {
  return { providerId: known.row.id, model: model.model };
}
