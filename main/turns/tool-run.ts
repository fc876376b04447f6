/**
 * Runs the calls of one answer, one after another. Each result is stored before the next call begins and before the next
 * request leaves; whatever ends the run, every call has exactly one result (holds I6).
 */
import type { ToolCall } from '../../shared/model/message';
import { insertResult } from '../db/tool-results';
import type { TokenRates } from '../providers/registry-types';
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
    const { clock } = this.#env;
    for (const call of this.#spec.calls) {
      if (this.#left !== null) {
        await this.#store(call, this.#left, OPEN_CALL['not-run'], null);
        continue;
      }
      const began = clock.monotonic();
      const end = await this.#call(call);
      const tookMs = Math.round(clock.monotonic() - began);
      if (end.kind === 'cancelled' && this.#left === 'interrupted')
        await this.#store(call, 'interrupted', OPEN_CALL.interrupted, null);
      else await this.#store(call, stateOf(end), textOf(end), tookMs);
    }
  }

  #call(call: ToolCall): Promise<ToolEnd> {
    const { clock, events } = this.#env;
    const { tools } = this.#spec;
    const tool = tools.find(({ name }) => name === call.name);
    const args = objectOf(call.args);
    let told = Number.NEGATIVE_INFINITY;
    if (!tool)
      return refused(`there is no tool named ${call.name}; there is ${tools.map(({ name }) => name).join(', ')}`);
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

  async #store(call: ToolCall, state: ReturnType<typeof stateOf>, whole: string, tookMs: number | null): Promise<void> {
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

function objectOf(args: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
