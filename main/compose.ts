/** The one place that constructs and wires the core. Electron stays outside: the shell comes in behind functions. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AppEvent } from '../shared/ipc/events';
import type { InstanceId, SessionId } from '../shared/model/ids';
import type { AppCore, CoreEnv } from './app/core';
import { composeModels } from './compose-models';
import { composeTools } from './compose-tools';
import { Ahead } from './compression/ahead';
import { aheadView, causeEnded } from './compression/ahead-view';
import { Coordinator } from './compression/coordinator';
import { Leases } from './compression/lease';
import { GRACE, LEASE } from './compression/policy';
import { Recover } from './compression/recover';
import { Review } from './compression/review';
import { Compression } from './compression/service';
import { Summaries } from './compression/summaries';
import { writersOf } from './compression/writers';
import { Checkpointer } from './db/checkpointer';
import { lockOwnInstance } from './db/instance-lock';
import { insertInstance, otherInstances } from './db/instances-table';
import { type NewNotice, raiseNotice } from './db/notices-table';
import { openForWriting } from './db/open';
import { type Recovered, recoverDead, recoverIfDead, retireInstance } from './db/recovery';
import { settingsRows } from './db/rows';
import { getSession } from './db/sessions-table';
import { startDataThread } from './db/thread/client';
import { WriteSeam } from './db/write-seam';
import { coreHandlers } from './ipc/core-handlers';
import { watched } from './ipc/watched-handlers';
import { Emitter } from './lib/emitter';
import { modelOf } from './providers/model-of';
import { AttachmentFiles } from './sessions/attachment-files';
import { Attachments } from './sessions/attachments';
import { Beat } from './sessions/beat';
import { Publisher } from './sessions/publisher';
import { Sessions } from './sessions/service';
import { ShownPaths } from './sessions/shown-paths';
import { SettingsStore } from './settings/settings';
import { TurnRunner } from './turns/runner';

/** Opens the profile, ends what dead instances left running, and answers the app without its windows. */
export async function composeApp(env: CoreEnv): Promise<AppCore> {
  const { clock, ids, log, shell } = env;
  mkdirSync(env.profile, { recursive: true });
  const file = join(env.profile, 'palimpsest.db');
  const locks = join(env.profile, 'instances');
  const me = ids.uuid() as InstanceId;
  const events = new Emitter<AppEvent>((error) => log.error('listener failed', error));
  const failed = (what: string) => (error: unknown) => log.error(what, error);

  const db = openForWriting(file);
  const seam = new WriteSeam(db, clock);
  const data = startDataThread(env.dataThreadEntry, file);
  const checkpointer = new Checkpointer(seam, data, clock);
  const ownLock = lockOwnInstance(locks, me); // before the row: whoever can take it has proof of death
  const instance = { id: me, pid: process.pid, bootId: '', version: shell.facts().version, startedAt: clock.wall() };
  // a disk that is full keeps the app from writing, not from opening what is there
  await seam.write('app', (tx) => insertInstance(tx, instance)).catch(failed('this instance was not registered'));
  const recovered = tryRecover(() => recoverDead(seam, locks, me, clock.wall()), failed('recovery has to wait'));
  for (const dead of recovered) log.info('recovered', { sessions: dead.sessions.length });

  const settings = new SettingsStore(settingsRows(seam, failed('a setting was not stored')));
  const { pool, registry, downloads } = await composeModels(env, { seam, settings, me, failed });

  const tools = composeTools({
    ...{ seam, clock, ids, data, host: pool, keyring: shell.keyring, settings, events, profile: env.profile },
    appVersion: shell.facts().version,
    asks: (sessionId) => publisher.toolQuestion(sessionId),
    offered: () => {
      for (const sessionId of paths.sessions()) publisher.measured(sessionId);
    },
    failed: failed('a tool was not stored'),
  });
  const { toolbox, approvals } = tools;

  const leases = new Leases({
    seam,
    clock,
    me,
    times: LEASE,
    recoverIfDead: (id) => {
      const done = recoverIfDead(seam, locks, id, clock.wall());
      for (const sessionId of done?.sessions ?? []) publisher.all(sessionId);
      return done !== null;
    },
  });
  const coordinator: Coordinator = new Coordinator({
    seam,
    clock,
    data,
    leases,
    streams: pool,
    me,
    extractAllowed: () => settings.current.extractAllowed,
    writers: (own) => {
      const { summaryModel, secondSummaryModel } = settings.current;
      return writersOf(
        own,
        summaryModel && registry.facts(summaryModel),
        secondSummaryModel && registry.facts(secondSummaryModel),
      );
    },
    modelFree: () => ahead.lookAgain(),
    changed: (attempt) => {
      publisher.attempt(attempt.view());
      beat.wake();
    },
    ended: (attempt, outcome) => {
      const { sessionId } = attempt.spec;
      if (outcome.kind === 'committed') {
        publisher.summaries(sessionId);
        publisher.sessionSettings(sessionId); // the breaker may have stopped it
      }
      publisher.proposal(sessionId);
      turns.wake(sessionId);
      ahead.ended(attempt, outcome);
    },
    log: (line) => log.info('compression', { line }),
  });
  const paths = new ShownPaths();
  const files = new AttachmentFiles(join(env.profile, 'attachments'), ids);
  const attachments = new Attachments({
    seam,
    clock,
    files,
    documents: pool,
    modelOf: (sessionId) => modelOf(registry, getSession(db, sessionId)),
    changed: (sessionId) => publisher.draftFiles(sessionId),
    log: (line) => log.info('attachments', { line }),
  });
  const publisher: Publisher = new Publisher({
    toolQuestion: (sessionId) => approvals.questionOf(sessionId),
    filesReading: (sessionId) => attachments.readingOf(sessionId),
    db,
    clock,
    me,
    events,
    models: registry,
    toolbox,
    provider: (ref) => registry.list().find((provider) => provider.id === ref.providerId) ?? null,
    settings: () => settings.current,
    shownBranches: (sessionId) => paths.branchesOf(sessionId),
    runningAttempt: (sessionId) => coordinator.running(sessionId)?.view() ?? null,
    recover: (sessionId) => recover.stateOf(sessionId),
  });
  const automatic = (sessionId: SessionId) => {
    const session = getSession(db, sessionId);
    return settings.current.automaticCompression ? (session?.automatic ?? 'on') : 'off';
  };
  const aheadFacts = { db, leases, coordinator, models: registry, toolbox, automatic };
  const ahead: Ahead = new Ahead({
    clock,
    view: (sessionId) => aheadView(aheadFacts, sessionId),
    causeEnded: (sessionId, outcome) => causeEnded(aheadFacts, sessionId, outcome),
    chatWants: (wish) => coordinator.chatFirst.wants(wish.model),
    onPower: () => !shell.onBattery(),
    start: (wish) => coordinator.start(wish),
    log: (line) => log.warn('compression', { line }),
  });
  ahead.follow(settings);
  const raise = (sessionId: SessionId, notice: NewNotice) => {
    seam
      .write(sessionId, (tx) => raiseNotice(tx, sessionId, notice, clock.wall()))
      .then(() => publisher.notices(sessionId), failed('a notice was not stored'));
  };
  const turns: TurnRunner = new TurnRunner({
    imagePath: (hash) => files.pathOf(hash),
    seam,
    clock,
    ids,
    me,
    leases,
    models: registry,
    streams: pool,
    coordinator,
    toolbox,
    approvals,
    data,
    automatic,
    log: (line) => log.warn('turn', { line }),
    outbox: (sessionId) => publisher.outbox(sessionId),
    takenOver: (sessionId) => publisher.all(sessionId),
    session: (sessionId) => {
      publisher.session(sessionId);
      ahead.turned(sessionId);
      beat.wake();
    },
    events: {
      turn: (sessionId) => publisher.turn(sessionId),
      message: (sessionId, id, what) => publisher.message(sessionId, id, what),
      delta: (sessionId, id, at, text) => publisher.delta(sessionId, id, at, text),
      context: (sessionId, { use }) => {
        const branchId = turns.all().find((run) => run.spec.sessionId === sessionId)?.spec.branchId;
        if (branchId) events.emit({ type: 'context.changed', sessionId, branchId, context: use });
      },
      counted: (sessionId) => publisher.context(sessionId),
      toolProgress: (sessionId, callId, line) => events.emit({ type: 'tool.progress', sessionId, callId, line }),
      away: (ref) => {
        registry.test(ref.providerId).catch(failed('a provider was not asked'));
      },
      learned: (sessionId, served, trained) => raise(sessionId, { kind: 'window-learned', served, trained }),
      cut: (sessionId, limit) => raise(sessionId, { kind: 'answer-cut', limit }),
    },
  });
  const compression = new Compression({
    seam,
    models: registry,
    data,
    coordinator,
    notices: (sessionId) => {
      publisher.notices(sessionId);
      turns.wake(sessionId);
    },
    wished: (sessionId) => recover.replaced(sessionId),
  });
  const recover: Recover = new Recover({
    ...{ db, clock, leases, me },
    start: (wish) => compression.start(wish),
    changed: (sessionId) => {
      publisher.notices(sessionId);
      beat.wake();
    },
    ended: (sessionId, end) => log.info('recover', { sessionId, ...end }),
  });
  const summaries = new Summaries({
    ...{ seam, clock, data, models: registry, toolbox },
    changed: (sessionId, by) => {
      coordinator.groundChanged(sessionId, by);
      publisher.summaries(sessionId);
      publisher.notices(sessionId);
      turns.wake(sessionId);
    },
  });
  const review = new Review({
    ...{ seam, clock, data, models: registry, coordinator },
    changed: (sessionId) => {
      publisher.proposal(sessionId);
      turns.reviewed(sessionId);
    },
  });
  const sessions = new Sessions({
    seam,
    clock,
    ids,
    me,
    events,
    publisher,
    defaultModel: () => registry.defaultModel(),
    swept: () => attachments.sweep(data),
  });

  const slept = () => {
    coordinator.slept();
    turns.slept();
  };
  const beat = new Beat(db, clock, {
    busy: () =>
      turns.all().length > 0 || coordinator.all().length > 0 || recover.looks || otherInstances(db, me).length > 0,
    tick: () => {
      for (const dead of recoverDead(seam, locks, me, clock.wall())) for (const id of dead.sessions) publisher.all(id);
      recover.look();
      turns.lookAtLeases();
    },
    moved: () => {
      ahead.lookAgain();
      tools.moved();
      turns.moved();
      for (const id of paths.sessions()) publisher.all(id);
      for (const session of sessions.snapshotPage().rows.slice(0, 30))
        events.emit({ type: 'session.changed', session });
    },
    slept,
    failed: failed('a beat failed'),
  });
  beat.wake();
  const stopPower = shell.power.on((event) => {
    if (event === 'suspend' || event === 'resume') slept();
    if (event === 'on-ac') ahead.lookAgain();
  });
  const modelsMoved = () => {
    const providers = registry.list();
    events.emit({ type: 'providers.changed', providers, defaultModel: registry.defaultModel() });
    for (const id of paths.sessions()) publisher.measuredAnew(id);
  };
  registry.changed.on(modelsMoved);
  let before = settings.current;
  settings.changed.on((now) => {
    const moved = now.defaultModel !== before.defaultModel || now.automaticCompression !== before.automaticCompression;
    before = now;
    if (moved) modelsMoved(); // no other setting changes what is measured or said of a chat
  });
  downloads.changed.on((catalogue) => events.emit({ type: 'catalogue.changed', catalogue }));
  const stopAsking = registry.need();
  if (recovered.length > 0)
    data.ask('quickCheck', {}).then((found) => {
      if (found !== 'ok') log.error('the database is damaged', found);
    }, failed('quick_check failed'));
  void sessions.purgeBin().catch(failed('the bin was not emptied'));

  const imports = {
    seam,
    data,
    clock,
    ids,
    defaultModel: () => registry.defaultModel(),
    room: () => checkpointer.room(),
  };
  const handlers = coreHandlers({
    ...{ seam, data, shell, settings, sessions, publisher, turns, compression, summaries, review, registry, imports },
    ...{ downloads, recover, tools, memoryBytes: env.memoryBytes },
    branches: { seam, clock, turns, coordinator },
    attachments,
    pins: { seam, clock, ids, changed: (sessionId) => publisher.pins(sessionId) },
  });
  return {
    handlers: watched(handlers, ahead, paths),
    events,
    settings,
    titleOf: (sessionId) => getSession(db, sessionId)?.title ?? null,
    quit: async () => {
      ahead.end();
      recover.quit();
      beat.end();
      stopPower();
      stopAsking();
      await Promise.all([turns.quit(), coordinator.quit(), downloads.quit()]);
      await Promise.all([tools.servers.quit(), pool.close(GRACE.quitMs)]);
      checkpointer.end();
      await seam.write('app', (tx) => retireInstance(tx, me, clock.wall()), { durable: true }).catch(failed('retire'));
      await data.close();
      db.close();
      ownLock.release(true);
    },
  };
}

function tryRecover(recover: () => Recovered[], failed: (error: unknown) => void): Recovered[] {
  try {
    return recover();
  } catch (error) {
    failed(error); // the beat tries again
    return [];
  }
}
