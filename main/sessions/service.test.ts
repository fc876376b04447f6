import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { AppEvent } from '../../shared/ipc/events';
import type { BranchId, ModelRef, ProviderId } from '../../shared/model/ids';
import { openForWriting } from '../db/open';
import { Emitter } from '../lib/emitter';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { TEST_MODEL } from '../testing/fixed-models';
import { madePublisher } from '../testing/made-publisher';
import type { TempProfile } from '../testing/profile';
import { answerAgain } from './branches';
import { Sessions } from './service';
import { ShownPaths } from './shown-paths';

const DEFAULT: ModelRef = { providerId: 'other' as ProviderId, model: 'for new chats' };
let profile: TempProfile;
let engine: Engine;
let sessions: Sessions;
eachEngine((made, at) => {
  engine = made;
  profile = at;
  const { seam, clock, me } = engine;
  const { publisher } = madePublisher(engine, new ShownPaths());
  sessions = new Sessions({
    ...{ seam, clock, me, publisher, ids: { uuid: randomUUID }, events: new Emitter<AppEvent>(() => {}) },
    defaultModel: () => DEFAULT,
    swept: async () => {},
  });
});

test('an empty chat that is taken for a new one has its model, unless something was begun in it', async () => {
  const [{ sessionId: empty }, { sessionId: begun }] = [engine.session(), engine.session()];
  await sessions.saveDraft(begun, 'half a question');
  await sessions.renew(empty);
  await sessions.renew(begun);
  expect([sessions.get(empty).model, sessions.get(begun).model]).toEqual([DEFAULT, TEST_MODEL]);
});

test('what became of one version of the chat is said there, and not under another version, whose end it is not about', async () => {
  const session = engine.session(1);
  const { sessionId, branchId } = session;
  const fork = await answerAgain(engine, { ...session, seq: 2 });
  await engine.settle();
  const said = (path: BranchId) => sessions.open(sessionId, path).notices.map(({ kind }) => kind);
  engine.host.last.settle({
    ...{ t: 'failed', kind: 'refused', cause: 'server-error', name: 'Error', message: 'no' },
    fields: {},
  });
  await engine.settle();
  expect(said(fork)).toEqual(['turn-failed']);
  const other = openForWriting(profile.database);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE'); // that the path was opened is not stored yet: what is said is true of it all the same
  expect(said(branchId)).toEqual([]);
  other.exec('ROLLBACK');
  await engine.pass(100, 10);
  expect([said(branchId), said(fork)]).toEqual([[], ['turn-failed']]);
});
