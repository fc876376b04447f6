import { afterEach, expect, it } from 'vitest';
import type { AppSnapshot } from '../../shared/ipc/contract';
import { fixtureTurn } from '../testing/fixture-attempt';
import { branch, session } from '../testing/fixture-data';
import { askedFor, closeFixture, openFixture } from '../testing/fixture-window';
import { appStore } from './app-store';
import { messageAt } from './message-window';
import { openSession } from './open-session';
import { sessionStore } from './session-store';

afterEach(closeFixture);

/** Until what was started has been answered: the fixture answers in microtasks only. */
const settled = () => new Promise((done) => setTimeout(done));

it('writes an event into the store it belongs to', async () => {
  const bridge = await openFixture();
  bridge.emit({ type: 'theme.changed', dark: true });
  bridge.emit({ type: 'session.removed', sessionId: session(3) });
  expect(appStore.getState().dark).toBe(true);
  expect(appStore.getState().order).not.toContain(session(3));
});

it('takes the snapshot and the open session again when a number is missing, and goes on from there', async () => {
  const bridge = await openFixture();
  bridge.revision += 1; // an event that never arrived
  bridge.rows = bridge.rows.map((row) => (row.id === session(1) ? { ...row, title: 'Renamed meanwhile' } : row));
  bridge.emit({ type: 'theme.changed', dark: true });
  await settled();
  expect(askedFor(bridge, 'app.snapshot')).toHaveLength(2);
  expect(askedFor(bridge, 'sessions.open')).toEqual([
    { sessionId: session(1), branchId: null },
    { sessionId: session(1), branchId: branch(1) },
  ]);
  expect(appStore.getState().rows[session(1)]?.title).toBe('Renamed meanwhile');
  bridge.emit({ type: 'session.removed', sessionId: session(4) });
  expect(appStore.getState().order).not.toContain(session(4));
  expect(askedFor(bridge, 'app.snapshot')).toHaveLength(2);
});

it('stays on the page it shows when it takes the snapshot again', async () => {
  const bridge = await openFixture();
  const { opened } = sessionStore.getState();
  appStore.getState().pageShown('settings');
  bridge.revision += 1;
  bridge.emit({ type: 'theme.changed', dark: true });
  await settled();
  expect(appStore.getState().page).toBe('settings');
  expect(sessionStore.getState().opened).toBe(opened);
});

it('keeps events that arrive while the snapshot is on its way, and drops those that are in it', async () => {
  const bridge = await openFixture();
  let answer: (snapshot: AppSnapshot) => void = () => undefined;
  bridge.handlers['app.snapshot'] = () =>
    new Promise((done) => {
      answer = done;
    });
  bridge.revision += 1;
  bridge.emit({ type: 'theme.changed', dark: true });
  const taken = bridge.snapshot();
  bridge.emit({ type: 'session.removed', sessionId: session(5) });
  await settled();
  expect(appStore.getState().order).toContain(session(5));
  answer({ ...taken, dark: false });
  await settled();
  expect(appStore.getState().dark).toBe(false);
  expect(appStore.getState().order).not.toContain(session(5));
});

it('does not let an older view hide what happened while it was on its way', async () => {
  const bridge = await openFixture();
  const opened = openSession(session(2), null);
  bridge.emit({ type: 'turn.changed', sessionId: session(2), turn: fixtureTurn() });
  await opened;
  expect(sessionStore.getState().turn).toEqual(fixtureTurn());
});

it('leaves the open session alone when another one changes', async () => {
  const bridge = await openFixture();
  bridge.emit({ type: 'turn.changed', sessionId: session(2), turn: fixtureTurn() });
  expect(sessionStore.getState().turn).toBeNull();
});

it('reads a growing message again when a piece of its text was lost', async () => {
  const bridge = await openFixture();
  const last = bridge.message(bridge.lastSeq);
  const growing = { ...last, seq: last.seq + 1, id: bridge.message(last.seq + 1).id, status: 'streaming' as const };
  bridge.emit({ type: 'message.added', sessionId: session(1), message: { ...growing, text: 'One ' } });
  bridge.handlers['sessions.page'] = () => [{ ...growing, text: 'One two three ' }];
  bridge.emit({ type: 'message.delta', sessionId: session(1), messageId: growing.id, at: 8, text: 'three ' });
  await settled();
  expect(askedFor(bridge, 'sessions.page')).toEqual([{ branchId: branch(1), from: growing.seq, to: growing.seq }]);
  bridge.emit({ type: 'message.delta', sessionId: session(1), messageId: growing.id, at: 14, text: 'four' });
  expect(messageAt(sessionStore.getState().window, growing.seq)?.text).toBe('One two three four');
});
