import { AppError } from '../../shared/errors';
import { type ProviderId, providerId } from '../../shared/model/ids';
import type { ProviderState } from '../../shared/model/provider';
import { mayCarryKey } from '../hosts/process/address';
import type { Clock } from '../lib/clock';
import type { Ids } from '../lib/ids';
import { AskFailure, type Asking, fetchFor, isRemote, type Network, proxyFor } from './ask-http';
import type { AskedServer } from './asked-server';
import {
  ASK_AGAIN_MS,
  type Candidate,
  candidateAddress,
  LOCAL_ASK_MS,
  nameOf,
  REMOTE_ASK_MS,
  sameServer,
} from './discovery';
import type { KnownProvider } from './known-provider';
import { askOllama, type ShowCache } from './ollama-api';
import { askOpenAi } from './openai-api';
import type { ProviderFields, ProviderRow, ProviderRows } from './provider-rows';

/** Keys of providers: the settings folder's Secrets. Reading and storing may throw AppError `no-keyring`. */
export interface KeyStore {
  has(owner: string, name: string): boolean;
  read(owner: string, name: string): string | null;
  store(owner: string, name: string, secret: string): void;
  remove(owner: string, name: string): void;
}

export interface ProviderBookOptions {
  readonly rows: ProviderRows;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly candidates: readonly Candidate[];
  /** How other machines are reached. */
  readonly network: Network;
  readonly changed: () => void;
  /** A server has answered: `before` is what was known. */
  readonly answered: (before: KnownProvider, now: KnownProvider) => void;
}

const KEY = 'key';

/** The servers: their rows, keys and last answers. Asks them, finds local ones by itself. */
export class ProviderBook {
  readonly #options: ProviderBookOptions;
  readonly #known = new Map<ProviderId, KnownProvider>();
  readonly #keys = new Map<ProviderId, string | null>();
  readonly #asking = new Map<ProviderId, Promise<void>>();
  readonly #shown: ShowCache = new Map();
  #needed = 0;
  #disarm: (() => void) | null = null;
  /** Wall-clock milliseconds of the next beat; null = nobody needs fresh states. */
  #nextBeatAt: number | null = null;

  constructor(options: ProviderBookOptions) {
    this.#options = options;
    for (const row of options.rows.all()) {
      this.#known.set(row.id, fresh(row));
      void this.#findProxy(row); // a chat may be sent before anything was asked
    }
  }

  all(): KnownProvider[] {
    return [...this.#known.values()].filter(({ row }) => !row.fields.hidden);
  }
  get(id: ProviderId): KnownProvider | null {
    const known = this.#known.get(id);
    return known && !known.row.fields.hidden ? known : null;
  }
  require(id: ProviderId): KnownProvider {
    const known = this.get(id);
    if (!known) throw new AppError('not-found', { what: 'provider' });
    return known;
  }
  hasKey(id: ProviderId): boolean {
    return this.#options.keys.has(id, KEY);
  }
  /** null where there is none, or none that this machine's keyring can read. */
  key(id: ProviderId): string | null {
    const cached = this.#keys.get(id);
    if (cached !== undefined) return cached;
    let key: string | null = null;
    try {
      key = this.#options.keys.read(id, KEY);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    this.#keys.set(id, key);
    return key;
  }

  /** Stores a new provider and asks it. Throws `insecure-address`, `no-keyring`; a silent server is no error. */
  async add(row: Omit<ProviderRow, 'id' | 'createdAt' | 'fields'>, key: string | null): Promise<ProviderId> {
    const id = providerId.parse(this.#options.ids.uuid());
    this.#setKey(id, row.address, key);
    this.insert({ ...row, id, fields: {}, createdAt: this.#options.clock.wall() });
    await this.ask(id);
    return id;
  }

  insert(row: ProviderRow): void {
    this.#options.rows.insert(row);
    this.#known.set(row.id, fresh(row));
    this.#options.changed();
  }

  /** `key`: null leaves it as it is, an empty text removes it. */
  change(id: ProviderId, patch: { address?: string; key?: string | null; fields?: ProviderFields }): void {
    const { row } = this.require(id);
    const address = patch.address ?? row.address;
    const moved = address !== row.address;
    // A key was entered for one server: it does not follow to another.
    const key = patch.key ?? (moved && row.address && address && !sameServer(row.address, address) ? '' : null);
    this.#setKey(id, address, key);
    this.update({ ...row, address, fields: { ...row.fields, ...patch.fields } });
  }

  update(row: ProviderRow): void {
    const known = this.#known.get(row.id) ?? fresh(row);
    this.#options.rows.update(row);
    // what another address said says nothing of this one
    const moved = known.row.address !== row.address ? { proxy: null, asked: [], state: UNASKED } : {};
    this.#known.set(row.id, { ...known, ...moved, row });
    this.#options.changed();
  }

  remove(id: ProviderId): void {
    const { row } = this.require(id);
    this.#options.keys.remove(id, KEY);
    this.#keys.delete(id);
    if (row.origin === 'found') this.update({ ...row, fields: { hidden: true } });
    else {
      this.#options.rows.delete(id);
      this.#known.delete(id);
      this.#options.changed();
    }
  }

  /** Takes over what was learned about a provider, unless it was removed meanwhile. */
  patch(id: ProviderId, patch: Partial<Omit<KnownProvider, 'row'>>): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.#known.set(id, { ...known, ...patch });
    this.#options.changed();
  }

  /** Asks one server now, and says so. Never throws: the answer is the state. */
  ask(id: ProviderId): Promise<void> {
    const state = this.get(id)?.state;
    if (state && state.kind !== 'ready') this.patch(id, { state: { kind: 'asking', away: isAway(state) } });
    return this.#answerOf(id);
  }

  /** A question that is under way is joined. */
  #answerOf(id: ProviderId): Promise<void> {
    const running = this.#asking.get(id);
    if (running) return running;
    const known = this.get(id);
    if (!known || known.row.kind === 'embedded') return Promise.resolve();
    const { address } = known.row;
    const asking = this.#ask(known.row).finally(() => this.#asking.delete(id));
    // who joined a question that went to an old address, or had its answer by then, wants another one
    const settled = asking.then(() => {
      const now = this.get(id);
      return now?.row.address === address && now.state.kind !== 'asking' ? undefined : this.#answerOf(id);
    });
    this.#asking.set(id, settled);
    return settled;
  }

  /** Asks every server and looks for new local ones. */
  askAll(): Promise<void> {
    return this.#askEach((id) => this.ask(id));
  }

  async #askEach(ask: (id: ProviderId) => Promise<void>): Promise<void> {
    const known = this.all().map(({ row }) => ask(row.id));
    await Promise.all([...known, ...this.#options.candidates.map((candidate) => this.#look(candidate))]);
  }

  /** While anyone needs fresh states all are asked each 30 s, for the first time at once. Answers the way to stop. */
  need(): () => void {
    if (this.#needed++ === 0) this.#beat();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#needed > 0) return;
      this.#disarm?.();
      this.#disarm = null;
      this.#nextBeatAt = null;
    };
  }

  #beat(): void {
    this.#nextBeatAt = this.#options.clock.wall() + ASK_AGAIN_MS;
    // what is known of a server stands until it has answered or not: nobody waits for this
    void this.#askEach((id) => this.#answerOf(id));
    this.#disarm = this.#options.clock.after(ASK_AGAIN_MS, () => this.#beat());
  }

  async #findProxy({ id, address }: ProviderRow): Promise<void> {
    if (!isRemote(address) || address === null) return;
    const proxy = await proxyFor(address, this.#options.network);
    const known = this.#known.get(id);
    if (known && known.row.address === address) this.#known.set(id, { ...known, proxy });
  }

  async #ask(row: ProviderRow): Promise<void> {
    const { clock } = this.#options;
    await this.#findProxy(row);
    const from = clock.monotonic();
    try {
      const answer = await this.#question(row.kind, row.address ?? '', this.key(row.id));
      const before = this.#known.get(row.id);
      if (!before || before.row.address !== row.address) return; // moved or removed while it was asked
      const state: ProviderState = { kind: 'ready', answeredInMs: Math.round(clock.monotonic() - from) };
      const { flavor, refusesLong, models: asked } = answer;
      const now: KnownProvider = { ...before, state, flavor, refusesLong, asked };
      this.#known.set(row.id, now);
      this.#options.answered(before, now);
      this.#options.changed();
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error;
      if (this.#known.get(row.id)?.row.address !== row.address) return; // it says nothing of the new address
      this.patch(row.id, {
        state:
          error.kind === 'offline'
            ? { kind: 'offline', nextTryAt: this.#nextBeatAt }
            : { kind: 'refused', code: error.code, fields: error.fields },
      });
    }
  }

  async #look(candidate: Candidate): Promise<void> {
    const address = candidateAddress(candidate);
    const taken = () => [...this.#known.values()].some(({ row }) => row.address && sameServer(row.address, address));
    if (taken()) return;
    try {
      const { models: asked, ...answer } = await this.#question(candidate.kind, address, null);
      if (taken()) return;
      const id = providerId.parse(`found-${candidate.port}`);
      const name = nameOf(candidate, answer.flavor);
      const createdAt = this.#options.clock.wall();
      this.insert({ id, kind: candidate.kind, name, address, origin: 'found', fields: {}, createdAt });
      this.patch(id, { state: { kind: 'ready', answeredInMs: null }, ...answer, asked });
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error; // nobody there, or somebody else: not a fault
    }
  }

  #question(kind: ProviderRow['kind'], address: string, key: string | null): Promise<AskedServer> {
    const { clock, network } = this.#options;
    const asking: Asking = {
      key,
      clock,
      timeoutMs: isRemote(address) ? REMOTE_ASK_MS : LOCAL_ASK_MS,
      fetch: fetchFor(address, network),
    };
    return kind === 'ollama' ? askOllama(address, asking, this.#shown) : askOpenAi(address, asking);
  }

  #setKey(id: ProviderId, address: string | null, key: string | null): void {
    const willHave = key === null ? this.hasKey(id) : key !== '';
    if (willHave && address !== null && !mayCarryKey(new URL(address))) {
      throw new AppError('insecure-address', { address });
    }
    if (key === null) return;
    if (key === '') this.#options.keys.remove(id, KEY);
    else this.#options.keys.store(id, KEY, key);
    this.#keys.delete(id);
  }
}

const UNASKED: ProviderState = { kind: 'asking', away: false };

function isAway(state: ProviderState): boolean {
  return state.kind === 'offline' || (state.kind === 'asking' && state.away);
}

function fresh(row: ProviderRow): KnownProvider {
  const state: ProviderState = row.kind === 'embedded' ? { kind: 'ready', answeredInMs: null } : UNASKED;
  return { row, state, flavor: 'other', refusesLong: false, proxy: null, asked: [], files: [] };
}
