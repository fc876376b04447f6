import { describe, expect, test } from 'vitest';
import type { AttemptId, BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { insertFork } from '../db/branches-table';
import { getSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import { Engine, GOOD_SUMMARY } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { marksFor } from '../turns/measure';
import type { AttemptRun } from './attempt';
import type { Phase } from './attempt-state';
import { armBackoff } from './backoff-store';
import type { Wish } from './wish';

let engine: Engine;
let profile: TempProfile;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made, at) => {
  engine = made;
  profile = at;
  session = engine.session(40, 800); // three chunks and their fold
});

const EMBEDDED = { kind: 'embedded', path: '/models/test.gguf', askWindow: 8_192, threads: 2 } as const;
const key = () => ({ session: session.sessionId, kind: 'compression' }) as const;
const lease = () => engine.lease(session.sessionId);
const wish = (change: Partial<Wish>): Wish => {
  const model = engine.models.facts();
  const marks = marksFor(engine.db, session.sessionId, model);
  if (!marks) throw new Error('the window is unknown');
  const none = { turnId: null, chosen: null, range: null, accepts: null, bulkyResults: false, fixedTokens: 0 };
  return { ...session, ...none, need: 'pressure', trigger: 'hard-mark', model, marks, bypass: false, ...change };
};
/** Starts or joins; nothing that it leads to later has happened yet. */
const begin = async (change: Partial<Wish>): Promise<AttemptRun> => {
  const started = await engine.coordinator.start(wish(change));
  if (started.kind !== 'running') throw new Error(JSON.stringify(started));
  return started.attempt;
};
/** An attempt by the model alone, to which this happens in the step in which it comes to a phase. */
const comesTo = async (at: Phase['at'], happens: (attempt: AttemptRun) => void): Promise<AttemptRun> => {
  const begun = begin({ need: 'manual', chosen: ['summarize'] });
  for (let turn = 0; turn < 2_000; turn++) {
    const attempt = engine.coordinator.running(session.sessionId);
    if (attempt?.state.phase.at === at) {
      happens(attempt);
      return attempt;
    }
    await Promise.resolve();
  }
  await begun;
  throw new Error(`it never came to ${at}`);
};
/** What comes of it, once all that has arrived is handled. */
const outcomeOf = async (attempt: AttemptRun) => {
  await engine.settle();
  await engine.answerAll();
  expect(attempt.state.phase.at, engine.log.join('; ')).toBe('ended');
  return attempt.outcome;
};
const newest = (): SummaryId => {
  const outcome = engine.ended.at(-1);
  if (outcome?.kind !== 'committed' && outcome?.kind !== 'proposed') throw new Error(JSON.stringify(outcome));
  return outcome.summaryId;
};
const stored = () => {
  const row = getSummary(engine.db, newest());
  if (!row) throw new Error('nothing was stored');
  return row;
};

describe('what changes under an attempt', () => {
  const forkAt = (forkSeq: number) => {
    const { sessionId, branchId: parentId } = session;
    const branch = engine.write((tx) => insertFork(tx, { sessionId, parentId, forkSeq, now: 1 }));
    engine.coordinator.forked(sessionId, branch);
  };
  const cutoff = (attempt: AttemptRun) => attempt.candidate.cutoff ?? 0;

  test('a fork before the end of its range ends it, since its summary would not show there', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    forkAt(cutoff(attempt) - 1);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'superseded', by: 'fork' });
  });
  test('a fork behind its range does not, nor does one before it has planned', async () => {
    const attempt = await comesTo('planning', () => forkAt(1));
    await engine.settle();
    forkAt(cutoff(attempt));
    expect((await outcomeOf(attempt)).kind).toBe('committed');
  });
  test('a change of summaries does not end what has not planned yet: it will see the change', async () => {
    const attempt = await comesTo('planning', () => engine.coordinator.groundChanged(session.sessionId, 'edit'));
    expect((await outcomeOf(attempt)).kind).toBe('committed');
  });
});

describe('the user’s stop', () => {
  test('P16 counts in the very moment in which patience has run out', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    engine.clock.afterTimer = () => {
      if (engine.clock.monotonic() === 30_000) attempt.cancel('user'); // before the timer has judged
    };
    await engine.pass(30_000, 30_000);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'cancelled', by: 'user' });
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stall-interrupted' });
  });
  test('P16 does not count before anything was asked of the model', async () => {
    const attempt = await comesTo('summarizing', (begun) => begun.cancel('user'));
    expect(await outcomeOf(attempt)).toEqual({ kind: 'cancelled', by: 'user' });
    expect(engine.host.streams).toHaveLength(0);
    expect(engine.backoff(session.sessionId)).toBeNull();
  });
});

describe('sleep', () => {
  test('lets the patience with the running stream begin anew', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await engine.pass(20_000, 20_000);
    engine.coordinator.slept();
    await engine.pass(29_000, 29_000);
    expect(attempt.state.phase.at).toBe('summarizing');
    await engine.pass(1_000);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'stalled' });
  });
  test('does no harm while what the model will read is still being fetched', async () => {
    const attempt = await comesTo('summarizing', () => {
      expect(engine.host.streams).toHaveLength(0);
      engine.coordinator.slept();
    });
    expect((await outcomeOf(attempt)).kind).toBe('committed');
  });
});

describe('an accepted proposal', () => {
  const propose = async () => {
    engine.setReview(session.sessionId, true);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    expect((await outcomeOf(attempt)).kind).toBe('proposed');
    return { id: newest(), planned: attempt.candidate.planned };
  };
  const accept = (id: SummaryId) => begin({ need: 'manual', trigger: 'accept', chosen: [], accepts: id });

  test('waits on where another window compresses, and the attempt to save it has its outcome', async () => {
    const { id } = await propose();
    const other = new Engine(profile);
    other.leases.tryAcquire(key(), 7, () => {});
    expect(await outcomeOf(await accept(id))).toMatchObject({ kind: 'deferred', why: { kind: 'lease-held' } });
    expect(engine.attempts(session.sessionId)[0]?.outcome?.kind).toBe('deferred');
    expect(getSummary(engine.db, id)?.state).toBe('proposed');
    other.close();
  });
  test('that is gone cannot be saved, and nothing pauses for it', async () => {
    const attempt = await accept(999 as SummaryId);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'commit-failed' });
    expect(engine.backoff(session.sessionId)).toBeNull();
    expect(lease().instanceId).toBeNull();
  });
  test('knows what the view showed when it was planned', async () => {
    const { planned } = await propose();
    expect(planned?.tokensInView).toBeGreaterThan(planned?.tokensShown ?? 0);
    const { tokensShown, tokensInView } = planned ?? {};
    expect(stored().receipt?.plannedOn).toMatchObject({ tokensShown, tokensInView });
  });
});

describe('a model for which there is no place', () => {
  /** Lines alone were wished for, since the model pauses; then a turn joins that may ask it in spite of that. */
  const joined = async () => {
    armBackoff(engine.seam, engine.clock, session.sessionId, 0 as AttemptId, 'summarize', 'stalled', null);
    const tryAcquire = engine.leases.tryAcquire.bind(engine.leases);
    engine.leases.tryAcquire = () => ({ kind: 'busy' }); // asked for again in a moment
    const attempt = await begin({ bulkyResults: true });
    expect(attempt.spec.row).toEqual(['prune']);
    expect(await begin({ need: 'must', trigger: 'overflow', bypass: true })).toBe(attempt);
    engine.leases.tryAcquire = tryAcquire;
    return attempt;
  };
  const refused = async () => {
    const attempt = await joined();
    engine.host.refusal = { refused: 'no-slot' };
    await engine.pass(1_000);
    return attempt;
  };
  const asked = () => engine.host.streams.filter((stream) => stream.job.kind === 'summary').length;

  test('is found one where the wish for it came later', async () => {
    const attempt = await joined();
    await engine.pass(1_000);
    expect(asked()).toBe(1);
    await engine.answerAll();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(stored().author).toBe('model');
  });

  test.each([false, true])('is passed over (while a chat has it: %s), and its backoff does not climb', async (chat) => {
    if (chat) {
      engine.models.change({ target: EMBEDDED });
      await engine.send(engine.session(), 'a question elsewhere');
      await engine.settle();
    }
    const attempt = await refused();
    await engine.settle();
    expect(attempt.state.phase.at, engine.log.join('; ')).toBe('ended');
    expect((await attempt.outcome).kind).toBe('committed');
    expect(stored().author).toBe('extract');
    expect(asked()).toBe(0);
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stalled', rung: 1, attemptId: 0 });
    expect(lease().instanceId).toBeNull();
  });

  test('is the reason of the outcome where nothing else may follow', async () => {
    engine.extractAllowed = false;
    expect(await outcomeOf(await refused())).toEqual({ kind: 'failed', failure: 'host-lost' });
    expect(engine.backoff(session.sessionId)).toMatchObject({ attemptId: 0 });
  });

  test('can be stopped like any other', async () => {
    const nextTurn = engine.clock.nextTurn.bind(engine.clock);
    engine.clock.nextTurn = (fn) => {
      if (engine.coordinator.running(session.sessionId)?.state.phase.at === 'summarizing') {
        engine.clock.nextTurn = nextTurn;
        engine.coordinator.cancel(session.sessionId, null, 'user');
      }
      nextTurn(fn);
    };
    expect(await outcomeOf(await refused())).toEqual({ kind: 'cancelled', by: 'user' });
    expect(engine.log.join('; ')).not.toContain('fault');
    expect(lease().instanceId).toBeNull();
  });

  test('leads to the extract where it is the second one', async () => {
    const own = engine.models.facts();
    engine.secondModel = { ...own, ref: { ...own.ref, model: 'second' } };
    const attempt = await engine.attempt(session, 'must');
    engine.host.refusal = { refused: 'no-slot' };
    engine.host.last.dieOfTimeout();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    expect(stored().author).toBe('extract');
    expect(asked()).toBe(1);
  });
});

describe('the data thread', () => {
  /** The reader of this engine finds a table gone. */
  const broken = () => engine.db.exec('ALTER TABLE pins RENAME TO elsewhere');

  test('that answers after the end changes nothing any more', async () => {
    const attempt = await comesTo('planning', (begun) => begun.cancel('user'));
    await engine.settle();
    expect(attempt.candidate.planned).toBeNull();
    expect(attempt.candidate.run).toBeNull();
    expect(engine.host.streams).toHaveLength(0);
  });
  test('that fails ends the attempt, which says why', async () => {
    broken();
    const attempt = await begin({ need: 'manual', chosen: ['summarize'] });
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'commit-failed' });
    expect(engine.attempts(session.sessionId)[0]?.error).toContain('no such table');
    expect(lease().instanceId).toBeNull();
  });
  test('that fails after the end is not heard', async () => {
    broken();
    const attempt = await comesTo('planning', (begun) => begun.cancel('user'));
    expect(await outcomeOf(attempt)).toEqual({ kind: 'cancelled', by: 'user' });
    expect(attempt.progress.error).toBeNull();
  });
});

describe('a gain', () => {
  const bulk = Array.from({ length: 80 }, (_, n) => `row ${n} of the table, with its values`).join('\n');
  /** Makes one bulky result old, in a session that is not full by its messages alone. */
  const small = () => {
    session = engine.session();
    engine.say(session, 'user', 'look it up');
    engine.say(session, 'tool', bulk);
    engine.say(session, 'assistant', 'found');
    engine.fill(session.sessionId, session.branchId, 4, 700);
  };

  test('of lines is judged and told by the whole request, with what no compression makes smaller', async () => {
    small();
    const { marks } = wish({});
    const attempt = await begin({ fixedTokens: 600 });
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    const { tokensInView = 0 } = attempt.candidate.planned ?? {};
    expect(tokensInView).toBeLessThan(marks.target); // only with the rest of it the request is too large
    expect(tokensInView + 600).toBeGreaterThan(marks.target);
    const { receipt, tokensBefore, tokensAfter, ...row } = stored();
    expect(row).toMatchObject({ strategy: 'prune', kind: 'stubs', text: '', sections: [], model: null });
    expect(receipt?.gain).toBeCloseTo((tokensBefore - tokensAfter) / (tokensInView + 600), 6);
    expect(engine.host.streams).toHaveLength(0);
  });

  test('of an extract names no model', async () => {
    await outcomeOf(await engine.attempt(session, 'manual', ['extract']));
    expect(stored()).toMatchObject({ author: 'extract', strategy: 'extract', model: null });
  });

  /** Words without a name, a date or a number: nothing of them has to be put back. */
  const PLAIN = 'plain words of it '.repeat(60);
  /** A summary of this many characters. */
  const line = (chars: number) => `## State\n- ${PLAIN.repeat(2)}`.slice(0, chars - 1).padEnd(chars, 'x');
  /** A model reads again what an extract covers, and writes a text of this many characters. */
  const again = async (need: 'pressure' | 'manual', chars: number) => {
    session = engine.session();
    for (const letter of 'abcdefghijklmnopqrst') {
      engine.say(session, 'user', `We talked of ${letter.repeat(5)} and more. ${PLAIN}`);
      engine.say(session, 'assistant', `We did, of ${letter.repeat(4)} too. ${PLAIN}`);
    }
    await outcomeOf(await engine.attempt(session, 'manual', ['extract']));
    const attempt = await begin({ need, chosen: need === 'manual' ? ['summarize'] : null });
    await engine.settle();
    await engine.answerAll(line(chars));
    expect(attempt.state.phase.at).toBe('ended');
    return { outcome: await attempt.outcome, shown: attempt.candidate.planned?.tokensShown ?? 0 };
  };
  test('is none where a summary is as large as the one it replaces, unless a person asked for a better one', async () => {
    const { outcome, shown } = await again('manual', 1_600);
    expect(outcome.kind).toBe('committed');
    expect(stored()).toMatchObject({ author: 'model' });
    expect(stored().tokensAfter).toBeGreaterThan(shown);
    const equal = 1_600 - 4 * (stored().tokensAfter - shown);
    expect((await again('pressure', 1_600)).outcome).toEqual({ kind: 'nothing-to-do', reason: 'nothing-to-gain' });
    expect((await again('pressure', equal)).outcome).toEqual({ kind: 'nothing-to-do', reason: 'nothing-to-gain' });
    expect((await again('pressure', equal - 4)).outcome.kind).toBe('committed');
  });

  test('by hand is none where the summary, with what had to be put back, is as large as its source', async () => {
    const fact = 'Deploy build-4711 from https://ci.example.org/pipelines/4711/jobs to /srv/data/exports/release.csv.';
    const written = async (chars: number) => {
      session = engine.session();
      engine.say(session, 'user', `${fact} ${PLAIN}`);
      engine.say(session, 'assistant', 'done');
      engine.fill(session.sessionId, session.branchId, 1);
      const attempt = await engine.attempt(session, 'manual', ['summarize'], { from: 1, to: 1 });
      await engine.answerAll(line(chars));
      return attempt.outcome;
    };
    expect((await written(800)).kind).toBe('committed');
    const { tokensBefore, tokensAfter } = stored();
    const room = 4 * (tokensBefore - tokensAfter);
    expect((await written(800 + room - 4)).kind).toBe('committed');
    expect(await written(800 + room)).toEqual({ kind: 'nothing-to-do', reason: 'nothing-to-gain' });
  });
});

test('what is read whole is shown as one piece, the range', async () => {
  session = engine.session(10, 800);
  await engine.send(session, 'one more question');
  await engine.settle();
  engine.host.last.answer('an answer');
  await engine.settle();
  const attempt = await engine.attempt(session, 'ahead');
  expect(attempt.readsWhole).toBe(true);
  const view = attempt.view();
  expect(view).toMatchObject({ reading: { from: 1, to: attempt.candidate.cutoff } });
  expect(view.tokensToRead).toBeGreaterThan(1_000);
  await engine.answerAll(GOOD_SUMMARY);
});
