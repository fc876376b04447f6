import { AppError } from '../../shared/errors';
import type { Bridge } from '../../shared/ipc/bridge';
import { type AppSnapshot, contract, type Output, type Parsed, type RouteName } from '../../shared/ipc/contract';
import type { AppEvent, Numbered } from '../../shared/ipc/events';
import type { SessionId, TurnId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { SessionRow, SessionView } from '../../shared/model/session';
import { type Settings, settingsSchema } from '../../shared/model/settings';
import { fixtureCatalogue } from './fixture-catalogue';
import {
  branch,
  fixtureContext,
  fixtureMessage,
  fixtureProviders,
  fixtureRows,
  fixtureSpend,
  session,
} from './fixture-data';

export interface FixtureOptions {
  readonly platform?: AppSnapshot['platform'];
  readonly dark?: boolean;
  readonly settings?: Partial<Settings>;
  /** Rows beside the sixteen named ones. */
  readonly moreSessions?: number;
  /** Messages of the first session. */
  readonly messages?: number;
  /** Changes the view of the first session before it is opened. */
  readonly view?: (view: SessionView) => SessionView;
  readonly change?: (snapshot: AppSnapshot) => AppSnapshot;
  /** Wall time of "now". */
  readonly now?: number;
}

type Handlers = { [R in RouteName]?: (input: Parsed<R>) => Output<R> | Promise<Output<R>> };

/** An in-memory main for tests and for looking at the screens in a plain page. Never part of the product's bundle. */
export class FixtureBridge implements Bridge {
  /** What was asked, in order. */
  readonly asked: { readonly route: RouteName; readonly input: unknown }[] = [];
  /** Answers of a test, before the built-in ones. */
  readonly handlers: Handlers = {};
  revision = 0;
  settings: Settings;
  rows: SessionRow[];
  readonly now: number;
  readonly #options: FixtureOptions;
  readonly #listeners = new Set<(events: readonly Numbered[]) => void>();

  constructor(options: FixtureOptions = {}) {
    this.#options = options;
    this.now = options.now ?? Date.now();
    this.settings = settingsSchema.parse({ firstRunDone: true, ...options.settings });
    this.rows = fixtureRows(this.now, options.moreSessions ?? 0, this.lastSeq);
  }

  get lastSeq(): number {
    return this.#options.messages ?? 246;
  }

  async request(route: string, input: unknown): ReturnType<Bridge['request']> {
    const name = route as RouteName;
    this.asked.push({ route: name, input });
    if (!(name in contract)) return { ok: false, code: 'bad-input', fields: {} };
    try {
      const own = this.handlers[name] as ((given: unknown) => unknown) | undefined;
      return { ok: true, value: await (own ? own(input) : this.#answer(name, input)) };
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : new AppError('internal', { message: String(thrown) });
      return { ok: false, code: error.code, fields: error.fields };
    }
  }

  subscribe(listener: (events: readonly Numbered[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports facts as main does, each with the next number. */
  emit(...events: readonly AppEvent[]): void {
    const numbered = events.map((event): Numbered => {
      this.revision += 1;
      return { ...event, revision: this.revision };
    });
    for (const listener of [...this.#listeners]) listener(numbered);
  }

  message(seq: number): Message {
    return fixtureMessage(seq, this.lastSeq, this.now);
  }

  view(id: SessionId): SessionView {
    const row = this.rows.find((one) => one.id === id);
    if (!row) throw new AppError('not-found', { what: 'chat' });
    const first = id === session(1);
    const lastSeq = first ? this.lastSeq : Math.min(row.messages, 20);
    const from = Math.max(1, lastSeq - 49);
    const messages = Array.from({ length: lastSeq - from + 1 }, (_, at) =>
      fixtureMessage(from + at, lastSeq, this.now),
    );
    const view: SessionView = {
      session: row,
      branchId: branch(1),
      messages,
      lastSeq,
      summaries: [],
      proposal: null,
      pins: [],
      stubs: [],
      turn: null,
      toolQuestion: null,
      attempt: null,
      outbox: [],
      draft: '',
      draftFiles: { files: [], reading: [] },
      notices: [],
      context: fixtureContext(65_536, 33_780),
      automatic: 'on',
      review: false,
      keepTurns: 6,
    };
    return first && this.#options.view ? this.#options.view(view) : view;
  }

  snapshot(): AppSnapshot {
    const snapshot: AppSnapshot = {
      revision: this.revision,
      platform: this.#options.platform ?? 'linux',
      version: '0.1.0',
      dark: this.#options.dark ?? false,
      settings: this.settings,
      providers: fixtureProviders(),
      defaultModel: null,
      tools: { servers: [], folders: [] },
      catalogue: fixtureCatalogue(),
      memoryBytes: 16e9,
      sessions: { rows: this.rows.filter((row) => row.deletedAt === null), next: null },
      trayAvailable: true,
      shortcutDoubt: null,
      shortcutRefusal: null,
    };
    return this.#options.change ? this.#options.change(snapshot) : snapshot;
  }

  #answer(route: RouteName, input: unknown): unknown {
    switch (route) {
      case 'app.snapshot':
        return this.snapshot();
      case 'sessions.open':
        return this.view((input as Parsed<'sessions.open'>).sessionId);
      case 'sessions.list': {
        const { bin } = input as Parsed<'sessions.list'>;
        return { rows: this.rows.filter((row) => (row.deletedAt !== null) === bin), next: null };
      }
      case 'sessions.create': {
        const row = fixtureRows(this.now, 0, 0)[2];
        if (!row) throw new AppError('internal', { message: 'no row' });
        const made = { ...row, id: session(900 + this.rows.length), title: '', messages: 0, updatedAt: this.now };
        this.rows = [made, ...this.rows];
        return this.view(made.id);
      }
      case 'sessions.page': {
        const { from, to } = input as Parsed<'sessions.page'>;
        return Array.from({ length: to - from + 1 }, (_, at) => this.message(from + at));
      }
      case 'sessions.search':
        return this.#search((input as Parsed<'sessions.search'>).query);
      case 'sessions.rename':
        return this.#changeRow((input as Parsed<'sessions.rename'>).sessionId, {
          title: (input as Parsed<'sessions.rename'>).title,
        });
      case 'sessions.pin':
        return this.#changeRow((input as Parsed<'sessions.pin'>).sessionId, {
          pinnedAt: (input as Parsed<'sessions.pin'>).pinned ? this.now : null,
        });
      case 'sessions.bin':
        return this.#changeRow((input as Parsed<'sessions.bin'>).sessionId, { deletedAt: this.now });
      case 'sessions.restore':
        return this.#changeRow((input as Parsed<'sessions.restore'>).sessionId, { deletedAt: null });
      case 'sessions.emptyBin':
        this.rows = this.rows.filter((row) => row.deletedAt === null);
        return undefined;
      case 'sessions.import':
        return [session(2)];
      case 'sessions.export':
        return true;
      case 'settings.change': {
        this.settings = settingsSchema.parse({ ...this.settings, ...(input as Partial<Settings>) });
        this.emit({ type: 'settings.changed', settings: this.settings });
        return this.settings;
      }
      case 'messages.send':
        this.#startTurn((input as Parsed<'messages.send'>).sessionId);
        return 'sent';
      case 'messages.edit':
      case 'messages.answerAgain':
        return branch(2);
      case 'sessions.context':
        return fixtureContext(65_536, 33_780);
      case 'sessions.spend':
        return fixtureSpend(this.now);
      case 'compression.attempts':
      case 'compression.summaries':
      case 'tools.goneFolders':
        return [];
      case 'compression.previewRange': {
        const { range } = input as Parsed<'compression.previewRange'>;
        return { kind: 'range', ...range, tokensNow: 9_200, tokensAfter: 640 };
      }
      case 'models.add':
        return 1;
      case 'quickChat.checkShortcut':
        return true;
      default:
        return undefined;
    }
  }

  #changeRow(id: SessionId, change: Partial<SessionRow>): void {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, ...change } : row));
    const row = this.rows.find((one) => one.id === id);
    if (row) this.emit({ type: 'session.changed', session: row });
  }

  #startTurn(sessionId: SessionId): void {
    const turn = {
      id: 9_999 as TurnId,
      branchId: branch(1),
      messageId: this.message(this.lastSeq + 1).id,
      state: 'requesting',
      reason: null,
      retryAt: null,
      elsewhere: false,
      startedAt: this.now,
      endedAt: null,
    } as const;
    this.emit({ type: 'turn.changed', sessionId, turn });
  }

  #search(query: string): unknown {
    const words = query.trim().toLowerCase();
    if (words === '') return [];
    const hits = [];
    for (let seq = this.lastSeq; seq >= 1 && hits.length < 20; seq--) {
      const found = this.message(seq);
      const at = found.text.toLowerCase().indexOf(words);
      if (at < 0) continue;
      const from = Math.max(0, at - 40);
      hits.push({
        sessionId: session(1),
        title: 'Move orders to Postgres 16',
        seq,
        role: found.role,
        excerpt: found.text.slice(from, at + 120),
        marks: [[at - from, at - from + words.length]],
        createdAt: found.createdAt,
      });
    }
    return hits;
  }
}
