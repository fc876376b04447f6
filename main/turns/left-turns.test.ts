/** A turn that waits for a click: nothing runs behind it, and any window takes the click. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WriteTx } from '../db/database';
import { openForWriting } from '../db/open';
import { outboxOf } from '../db/outbox-table';
import { changeSession } from '../db/sessions-table';
import { changeSummaryState } from '../db/summaries-table';
import { shownTurn } from '../sessions/shown';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';

let profile: TempProfile;
let one: Engine;
let other: Engine;
let session: ReturnType<Engine['session']>;
beforeEach(() => {
  profile = new TempProfile();
  one = new Engine(profile);
  other = new Engine(profile, one.clock);
  session = one.session(40, 800);
  one.automatic = 'off';
});
afterEach(() => {
  other.close();
  one.close();
  profile.remove();
});
const settle = async () => {
  await one.settle();
  await other.settle();
};

const waits = async () => {
  await one.send(session, 'does not fit without a compression');
  await settle();
};
const shown = (engine: Engine) => shownTurn(engine.db, session.sessionId, engine.me);
const sendAgain = (engine: Engine) => engine.turns.sendAgain(session.sessionId, session.branchId);
const beat = async (engine: Engine) => {
  engine.turns.lookAtLeases();
  await settle();
};

test('gives its lease back and is shown alike in every window; the click may come in any', async () => {
  await waits();
  expect(one.turns.all()).toEqual([]);
  expect(one.lease(session.sessionId, 'turn').instanceId).toBeNull();
  for (const engine of [one, other])
    expect(shown(engine)).toMatchObject({ elsewhere: false, reason: { why: { kind: 'auto-off' } } });
  await sendAgain(other);
  await settle();
  expect(shown(one)).toMatchObject({ state: 'compressing', elsewhere: true });
  await other.answerAll('fine');
  expect(shown(one)).toMatchObject({ state: 'completed' });
  expect(one.requests()).toEqual([]);
});
/** Clicks while its lease is still being let go, and lets that come to its end. */
const atOnce = async (click: () => Promise<void> | void) => {
  const clicks: Promise<void>[] = [];
  one.seam.onWrite(() => {
    if (clicks.length > 0 || one.turn(session.sessionId)?.state !== 'deferred') return;
    expect(one.lease(session.sessionId, 'turn').instanceId).toBe(one.me);
    one.automatic = 'on';
    clicks.push(Promise.resolve(click()));
  });
  await waits();
  expect(await Promise.allSettled(clicks)).toEqual([{ status: 'fulfilled', value: undefined }]);
};
test('takes one that comes while its lease is still being let go', async () => {
  await atOnce(() => sendAgain(one));
  await one.answerAll('fine');
  expect(shown(one)).toMatchObject({ state: 'completed' });
});

test('does nothing without its lease', async () => {
  await atOnce(() => one.turns.sendNow(session.sessionId));
  expect(shown(one)).toMatchObject({ reason: { why: { kind: 'auto-off' } } });
  expect(one.attempts(session.sessionId)).toEqual([]);
});

test('is not stopped by a window that waited for the database while another one took it', async () => {
  await waits();
  const turn = one.turn(session.sessionId);
  if (!turn) throw new Error('no turn');
  const key = { session: session.sessionId, kind: 'turn' } as const;
  one.db.exec('BEGIN IMMEDIATE');
  const stopped = Promise.allSettled([other.turns.stop(session.sessionId)]);
  await Promise.resolve();
  const epoch = one.leases.claim(one.db as unknown as WriteTx, key, turn.id);
  one.db.exec('COMMIT');
  await other.pass(1_000);
  expect(await stopped).toMatchObject([{ status: 'rejected', reason: { code: 'held-elsewhere' } }]);
  expect(shown(one)).toMatchObject({ state: 'deferred' });
  await one.leases.hold(key, turn.id, epoch ?? 0).release();
});

test.each(['one', 'other'] as const)('is stopped in the window "%s"', async (where) => {
  await waits();
  await { one, other }[where].turns.stop(session.sessionId);
  await settle();
  expect(shown(one)).toMatchObject({ state: 'stopped' });
});

test.each(['one', 'other'] as const)('takes no new message for it, from the window "%s"', async (where) => {
  await waits();
  const engine = { one, other }[where];
  expect(await engine.send(session, 'newer')).toBe('waiting');
  for (let i = 0; i < 3; i++) await beat(engine);
  expect(shown(engine)).toMatchObject({ reason: { why: { kind: 'auto-off' } } });
  expect(engine.published).not.toContain('attempt');
  one.automatic = 'on';
  await sendAgain(one);
  await settle();
  await one.answerAll('fine');
  await beat(engine);
  await engine.answerAll('fine');
  expect(engine.texts(session.branchId).slice(-4)).toEqual([
    'does not fit without a compression',
    'fine',
    'newer',
    'fine',
  ]);
});

test('still says for what after a restart', async () => {
  await waits();
  one = one.restart();
  expect(shown(one)).toMatchObject({ elsewhere: false, reason: { why: { kind: 'auto-off' } } });
  await sendAgain(one);
  await settle();
  await one.answerAll('fine');
  expect(shown(one)).toMatchObject({ state: 'completed' });
});

test('hears the second of two clicks in one window, though the first waits for the database', async () => {
  for (const second of [() => sendAgain(one), () => one.turns.stop(session.sessionId)]) {
    await waits();
    one.automatic = 'on';
    const busy = openForWriting(profile.database);
    busy.exec('BEGIN IMMEDIATE');
    const clicks = Promise.allSettled([sendAgain(one), second()]);
    await one.settle();
    busy.exec('ROLLBACK');
    busy.close();
    await one.pass(1_000);
    expect((await clicks).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await one.answerAll('fine');
    session = one.session(40, 800);
    one.automatic = 'off';
  }
  expect(one.published.filter((what) => what === 'message added')).toHaveLength(3); // two questions, one answer
});

/** The server refuses the request that runs. */
const tooLarge = async () => {
  await one.settle();
  const fields = { status: 413 };
  one.host.last.settle({
    t: 'failed',
    kind: 'refused',
    cause: 'overflow',
    name: 'Error',
    message: 'too large',
    fields,
  });
  await one.settle();
};

test('keeps what it has used', async () => {
  session = one.session(10, 800);
  await one.send(session, 'question');
  await tooLarge();
  one.automatic = 'on';
  one.extractAllowed = false;
  await sendAgain(one);
  await one.settle();
  await tooLarge(); // another model might have taken it
  one.automatic = 'off';
  one.host.last.settle({ t: 'exited', code: 1, killedByUs: false });
  await one.settle();
  expect(shown(one)).toMatchObject({ state: 'deferred' });
  expect(one.turn(session.sessionId)).toMatchObject({ attempts: 1, bypassed: true });
  one.automatic = 'on';
  await sendAgain(one);
  await one.settle();
  expect(one.turn(session.sessionId)).toMatchObject({ attempts: 1, bypassed: true });
});

test('is stopped, and what is compressed ahead of need goes on', async () => {
  await waits();
  one.automatic = 'on';
  one.ahead.switchedOn(session.sessionId);
  await one.pass(5_000);
  expect(one.attempts(session.sessionId)).toEqual([]);
  await one.turns.stop(session.sessionId);
  await one.pass(10_000);
  expect(one.attempts(session.sessionId)).toHaveLength(1);
});

test('that was stopped does not stand before what waits behind it', async () => {
  await waits();
  await one.send(session, 'newer');
  await one.turns.stop(session.sessionId);
  one.automatic = 'on';
  await sendAgain(one);
  await settle();
  expect(outboxOf(one.db, session.sessionId)).toEqual([]);
  await one.answerAll('fine');
  expect(one.texts(session.branchId).slice(-2)).toEqual(['newer', 'fine']);
});

test('and goes on in a window that hangs is taken over where a message has waited since before', async () => {
  const hung = new Engine(profile); // with a clock of its own, which stands still
  one.automatic = 'on';
  session = one.session(20, 800);
  one.setReview(session.sessionId, true);
  await one.send(session, 'what now?');
  await one.settle();
  await one.send(session, 'sent meanwhile');
  await one.answerAll();
  const proposal = hung.proposal(session.sessionId);
  if (!proposal) throw new Error('nothing was proposed');
  await hung.review.accept(session.sessionId, proposal.id);
  await hung.settle();
  for (let second = 0; second < 48; second++) {
    await one.pass(1_000);
    await beat(one);
  }
  await one.answerAll('fine');
  expect(outboxOf(one.db, session.sessionId)).toEqual([]);
  hung.close();
});

test('is sent as it is to another model than the one that found it too large', async () => {
  session = one.session(10, 800);
  await one.send(session, 'question');
  await tooLarge();
  one.models.change({ window: { served: 1_000_000, trained: 1_000_000, source: 'server' } });
  await sendAgain(one);
  await one.settle();
  expect(one.requests()).toHaveLength(2);
  await one.answerAll('fine');
});

test('does not go on in a chat that lies in the bin', async () => {
  await waits();
  one.write((tx) => changeSession(tx, session.sessionId, { deletedAt: 1 }));
  one.automatic = 'on';
  await expect(sendAgain(one)).rejects.toMatchObject({ code: 'not-found' });
  expect(one.turns.all()).toEqual([]);
});

test.each([
  ['to go on', () => sendAgain(one)],
  ['to send', (free: typeof session) => one.send(free, 'a question')],
] as const)('a click %s that waits for the database when the app quits begins nothing', async (_, click) => {
  await waits();
  const free = one.session(1);
  one.models.change({ window: { served: 1_000_000, trained: 1_000_000, source: 'server' } });
  const busy = openForWriting(profile.database);
  busy.exec('BEGIN IMMEDIATE');
  const clicked = Promise.allSettled([click(free)]);
  await one.settle();
  void one.turns.quit();
  await one.settle();
  busy.exec('ROLLBACK');
  busy.close();
  await one.pass(1_000);
  await clicked;
  expect(one.requests()).toEqual([]);
});

test('goes on in no window that quits', async () => {
  one.automatic = 'on';
  session = one.session(20, 800);
  one.setReview(session.sessionId, true);
  await one.send(session, 'what now?');
  await one.settle();
  let given = false;
  one.seam.onWrite(() => {
    const proposal = one.proposal(session.sessionId);
    if (given || !proposal || one.turn(session.sessionId)?.state !== 'deferred') return;
    given = true;
    other.write((tx) => changeSummaryState(tx, proposal.id, { from: 'proposed', to: 'active', now: 1 }));
    void one.turns.quit();
  });
  await one.answerAll();
  expect(given).toBe(true);
  expect(one.requests()).toEqual([]);
  one.seam.onWrite(() => {});
});
