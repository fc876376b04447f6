/** One death and what the next start finds. */
import { join } from 'node:path';
import type { AppEvent } from '../../../shared/ipc/events';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import { systemClock } from '../../lib/clock';
import { systemIds } from '../../lib/ids';
import { Account } from '../processes/account';
import { type CoreEntries, CoreProcess, Died } from '../processes/core-process';
import {
  answersHold,
  Broken,
  fileHolds,
  messagesHold,
  must,
  nothingIsLeft,
  searchHolds,
  summariesHold,
} from '../processes/profile-holds';
import type { Random } from '../processes/random';
import { StoredProfile } from '../processes/stored-profile';
import type { ScriptedServer } from '../scripted-server';
import type { Kill } from './kill-points';

/** What a death left, as its next start found it. */
export interface Found {
  readonly plan: Plan;
  /** Turns, attempts and answers that were open, and leases that were held. */
  readonly turns: number;
  readonly attempts: number;
  readonly answers: number;
  readonly leases: number;
  /** Messages without a reply that are there, and that are not. */
  there: number;
  missing: number;
  /** Milliseconds of an answer that were lost. */
  lostMs: number;
}

/** `random`: killed from outside, at a random moment. */
export type Plan = Kill | { readonly point: 'random' };

const talks = ['user message', 'waiting message', 'outbox drain', 'request written', 'stream flush', 'answer end'];
const compresses = ['lease acquire', 'chunk checkpoint', 'attempt commit'];
/** A process that has not reached its point by then never will. */
const LIMIT_MS = 120_000;
/** Words a second: a whole answer in 0.4 s, or in 1.6. */
export const PACE = { quick: 250, slow: 60 } as const;
/** A death from outside comes within this time, of the start or of being ready. */
const RANDOM_MS = { starting: 1_600, working: 4_000 } as const;

/** A profile over several deaths. */
export class Campaign {
  readonly #entries: CoreEntries;
  readonly #profile: string;
  readonly #random: Random;
  readonly #server: ScriptedServer;
  readonly #account = new Account();
  #sessions: SessionId[] = [];
  #fresh = 0;
  #oneMoreStep = false;
  /** A death whose traces no start has been checked for. */
  #death: { readonly found: Found; readonly diedAt: number } | null = null;
  #requests = 0;

  constructor(entries: CoreEntries, profile: string, random: Random, server: ScriptedServer) {
    this.#server = server;
    this.#entries = entries;
    this.#profile = profile;
    this.#random = random;
    const stored = this.#open();
    this.#sessions = stored.sessions();
    messagesHold(stored, this.#account);
    stored.close();
  }

  /**
   * Lets one process after another die as planned; each start is checked for what the death before it left, and the
   * last one ends as the app does. `found` grows with each death. @throws Broken
   */
  async live(plans: readonly Plan[], found: (one: Found) => void): Promise<void> {
    for (const plan of plans) {
      if (plan.point === 'recovery') await this.#dieTalking();
      if (plan.point === 'migration step' || plan.point === 'backup swap') this.#oneMoreStep = true;
      const core = this.#start(plan.point === 'random' ? {} : { kill: plan });
      try {
        await this.#until(core, plan);
      } finally {
        if (core.alive) await core.kill();
      }
      must(core.byItself || plan.point === 'random', `it never came to "${plan.point}"`);
      this.#death = { found: this.#left(plan), diedAt: this.#death?.diedAt ?? core.diedAt ?? 0 };
      found(this.#death.found);
    }
    const core = this.#start({});
    try {
      await this.#check(core);
      await core.quit();
      must(core.log.length === 0, `the log says: ${core.log.join('\n')}`);
    } finally {
      if (core.alive) await core.kill();
    }
  }

  #start(options: { kill?: Kill }): CoreProcess {
    const core = new CoreProcess(this.#entries, this.#profile, { ...options, oneMoreStep: this.#oneMoreStep });
    core.onEvent = (event, wall) => {
      if (event.type === 'message.delta') this.#account.delta(event.messageId, event.at, event.text, wall);
    };
    return core;
  }

  /** Works until it is dead, or for as long as a death may take. */
  async #until(core: CoreProcess, plan: Plan): Promise<void> {
    const limit = systemClock.after(LIMIT_MS, () => void core.kill());
    try {
      const early = this.#random.share() < 0.3; // while it starts
      const later = this.#random.int(0, early ? RANDOM_MS.starting : RANDOM_MS.working);
      const killLater = () => void systemClock.after(later, () => void core.kill());
      if (plan.point === 'random' && early) killLater();
      await core.ready;
      await this.#check(core);
      // an answer that outlives the promise of half a second, so that its breach would show
      this.#server.setPace(plan.point === 'random' ? PACE.slow : PACE.quick);
      if (plan.point === 'random' && !early) killLater();
      if (plan.point === 'random') await Promise.all([this.#talk(core), this.#compress(core), this.#dies(core)]);
      if (talks.includes(plan.point)) for (;;) await this.#talk(core);
      if (compresses.includes(plan.point)) for (;;) await this.#compress(core);
      await this.#dies(core);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    } finally {
      limit();
    }
  }
  async #dies(core: CoreProcess): Promise<never> {
    await core.gone;
    throw new Died();
  }

  /** One message and two that wait for it; resolves when all are answered. */
  async #talk(core: CoreProcess): Promise<void> {
    const sessionId = this.#random.pick(this.#sessions);
    const { branchId } = await core.ask('sessions.open', { sessionId, branchId: null });
    const ids = [0, 1, 2].map(() => systemIds.uuid() as MessageId);
    const ended = core.next((event) => answered(event, ids[2]));
    ended.catch(() => {}); // heard below, where it still lives
    for (const id of ids) {
      const text = `Please tell me more about the word ${wordOf(id)} and what came of it.`;
      const sent = this.#account.send(sessionId, id, text);
      await core.ask('messages.send', { sessionId, branchId, id, text: sent.text });
      sent.accepted = true;
    }
    await ended;
  }

  async #compress(core: CoreProcess): Promise<void> {
    const sessionId = this.#sessions[this.#fresh++ % this.#sessions.length] as SessionId;
    const { branchId } = await core.ask('sessions.open', { sessionId, branchId: null });
    const ended = core.next(
      (event) =>
        event.type === 'attempt.changed' && event.sessionId === sessionId && event.attempt?.outcome?.kind !== undefined,
    );
    ended.catch(() => {});
    await core.ask('compression.start', { sessionId, branchId, strategies: ['summarize'] });
    await ended;
  }

  /** A death in the middle of an answer, so that there is something to recover. */
  async #dieTalking(): Promise<void> {
    const core = this.#start({});
    await this.#check(core);
    const growing = core.next((event) => event.type === 'message.delta');
    const talk = this.#talk(core).catch(() => {});
    await growing;
    await core.kill();
    await talk;
    this.#death = { found: this.#left({ point: 'random' }), diedAt: core.diedAt ?? 0 };
  }

  #left(plan: Plan): Found {
    const stored = this.#open();
    const left = {
      turns: stored.number('SELECT count(*) FROM turns WHERE ended_at IS NULL'),
      attempts: stored.number('SELECT count(*) FROM attempts WHERE outcome IS NULL'),
      answers: stored.number(`SELECT count(*) FROM messages WHERE status = 'streaming'`),
      leases: stored.number('SELECT count(*) FROM leases WHERE instance_id IS NOT NULL'),
    };
    this.#requests = stored.number('SELECT count(*) FROM requests');
    stored.close();
    return { plan, ...left, there: 0, missing: 0, lostMs: 0 };
  }

  /** What the last death left, once the next start is ready. @throws Died where it died on the way */
  async #check(core: CoreProcess): Promise<void> {
    await core.ready;
    if (!core.alive) {
      if (core.byItself || core.killed) throw new Died();
      throw new Broken(`it did not start again: ${core.log.join('\n')}`);
    }
    if (!this.#death) return;
    const { found, diedAt } = this.#death;
    this.#death = null;
    const stored = this.#open();
    Object.assign(found, this.#holds(stored, diedAt));
    stored.close();
  }

  #holds(stored: StoredProfile, diedAt: number): Pick<Found, 'there' | 'missing' | 'lostMs'> {
    const account = this.#account;
    fileHolds(stored);
    nothingIsLeft(stored, 1);
    must(account.gaps.length === 0, account.gaps.join('\n'));
    const lostMs = answersHold(stored, account, diedAt);
    messagesHold(stored, account);
    summariesHold(stored);
    must(stored.number('SELECT count(*) FROM requests') === this.#requests, 'I8 something was sent by itself');
    const messages = new Set(stored.messages().map((row) => row.id));
    searchHolds(
      stored,
      account.all().flatMap(({ id }) => (messages.has(id) ? [wordOf(id)] : [])),
    );
    return { ...account.settle((sessionId) => stored.ofUser(sessionId)), lostMs };
  }

  #open(): StoredProfile {
    return new StoredProfile(join(this.#profile, 'palimpsest.db'));
  }
}

/** A word that stands in this message alone. */
const wordOf = (id: string) => `w${id.replaceAll('-', '')}`;

function answered(event: AppEvent, id: MessageId | undefined): boolean {
  return event.type === 'turn.changed' && event.turn.messageId === id && event.turn.endedAt !== null;
}
