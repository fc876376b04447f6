/**
 * Runs the calls of one answer, one after another, each once the user allows it where it needs that. Each result is stored before the next call begins and before the next
 * request leaves; whatever ends the run, every call has exactly one result (holds I6).
 */
import type { ResultState, ToolCall } from '../../shared/model/message';
import { insertResult } from '../db/tool-results';
import type { TokenRates } from '../providers/registry-types';
import type { Word } from '../tools/approvals';
import type { Tool } from '../tools/tool';
import { runTool, type ToolEnd } from './tool-executor';
import { OPEN_CALL, resultBudget, shortened, stateOf, textOf } from './tool-result';
import type { TurnEnv, TurnSpec } from './turn-run';

export interface ToolRunSpec {
  readonly calls: readonly ToolCall[];
  readonly tools: readonly Tool[];
  /** Tokens of the window less the reserve; null = unknown. */
  readonly usable: number | null;
  readonly rates: TokenRates;
}

/** A tool's progress is told at most this often, and so much of it. */
const PROGRESS_MS = 100;
const PROGRESS_CHARS = 200;

export class ToolRun {
  readonly #env: TurnEnv;
  readonly #turn: TurnSpec;
  readonly #spec: ToolRunSpec;
  readonly #abort = new AbortController();
  #left: 'cancelled' | 'interrupted' | null = null;
  /** Resolves when every call has its result in the database. Never rejects. */
  stored: Promise<void> = Promise.resolve();

  constructor(env: TurnEnv, turn: TurnSpec, spec: ToolRunSpec) {
    this.#env = env;
    this.#turn = turn;
    this.#spec = spec;
  }

  /** `ended` is called when all results are stored, unless the run was left; `failed` where they cannot be. */
  start(ended: () => void, failed: (error: unknown) => void): void {
    this.stored = this.#run().then(
      () => {
        if (this.#left === null) ended();
      },
      (error: unknown) => {
        if (this.#left === null) failed(error);
        else this.#env.log(`turn ${this.#turn.id}: a result was not stored: ${String(error)}`);
      },
    );
  }

  /** The running call is told to stop and is not waited for; those that have not begun do not begin. */
  leave(why: 'cancelled' | 'interrupted'): void {
    this.#left ??= why;
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    for (const call of this.#spec.calls) {
      const word = this.#left === null ? await this.#mayRun(call) : 'withdrawn';
      if (word === 'denied') await this.#store(call, 'denied', OPEN_CALL.denied, null);
      else if (word === 'withdrawn') await this.#store(call, this.#left ?? 'cancelled', OPEN_CALL['not-run'], null);
      else await this.#runOne(call);
    }
  }

  /** Asks the user where the tool needs it: what was said is stored when this resolves. */
  async #mayRun(call: ToolCall): Promise<Word> {
    const approval = this.#toolOf(call)?.approval ?? 'none';
    // what cannot be called anyway is nothing to ask about
    if (approval === 'none' || !argumentsOf(call.args)) return 'allowed';
    return this.#env.approvals.ask(this.#turn.sessionId, call.id, approval, this.#abort.signal);
  }

  async #runOne(call: ToolCall): Promise<void> {
    const { clock } = this.#env;
    const began = clock.monotonic();
    const end = await this.#call(call);
    const tookMs = Math.round(clock.monotonic() - began);
    if (end.kind === 'cancelled' && this.#left === 'interrupted')
      await this.#store(call, 'interrupted', OPEN_CALL.interrupted, null);
    else await this.#store(call, stateOf(end), textOf(end), tookMs);
  }

  #toolOf(call: ToolCall): Tool | undefined {
    return this.#spec.tools.find(({ name }) => name === call.name);
  }

  #call(call: ToolCall): Promise<ToolEnd> {
    const { clock, events } = this.#env;
    const tool = this.#toolOf(call);
    const args = argumentsOf(call.args);
    let told = Number.NEGATIVE_INFINITY;
    if (!tool) {
      const names = this.#spec.tools.map(({ name }) => name).join(', ');
      return refused(`there is no tool named ${call.name}; there is ${names}`);
    }
    if (!args) return refused('its arguments are not a JSON object');
    return runTool(tool, args, {
      clock,
      signal: this.#abort.signal,
      progress: (line) => {
        if (clock.monotonic() - told < PROGRESS_MS) return;
        told = clock.monotonic();
        events.toolProgress(this.#turn.sessionId, call.id, line.slice(0, PROGRESS_CHARS));
      },
    });
  }

  async #store(call: ToolCall, state: ResultState, whole: string, tookMs: number | null): Promise<void> {
    const { seam, clock, events } = this.#env;
    const { sessionId, branchId, id: turnId } = this.#turn;
    const { usable, rates, tools } = this.#spec;
    const { text, fullTokens } = shortened(whole, resultBudget(usable), rates);
    const full = fullTokens === null ? null : { text: whole, tokens: fullTokens };
    // what the app itself says of a call's end is nothing that anybody looks for
    const searchable = state === 'done' && !tools.some(({ name, quotes }) => name === call.name && quotes);
    const result = { call, state, tookMs };
    const row = { sessionId, branchId, turnId, result, text, full, searchable };
    const id = await seam.persist(sessionId, (tx) => insertResult(tx, { ...row, now: clock.wall() }), {
      durable: true,
    });
    if (id) events.message(sessionId, id, 'added');
  }
}

function refused(message: string): Promise<ToolEnd> {
  return Promise.resolve({ kind: 'failed', name: 'Error', message });
}

/** null = they are no JSON object. */
function argumentsOf(args: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
