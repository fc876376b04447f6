/** The attempt machine row by row: what a state makes of an input, to the last effect. */
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome, FailureKind, Strategy } from '../../shared/model/compression';
import type { SummaryId } from '../../shared/model/ids';
import type { AttemptState, Effect, Input, Phase } from './attempt-state';
import { begin, step } from './machine';

const every: readonly Strategy[] = ['prune', 'summarize', 'extract'];
const at = (phase: Phase, more: Partial<AttemptState> = {}): AttemptState => ({
  ...{ phase, proof: 'none', row: ['extract'], holds: true, failure: null, parts: 3, second: false, ready: false },
  ...more,
});
const waiting = at({ at: 'waiting' }, { holds: false, row: every });
const acquiring = at({ at: 'acquiring' }, { holds: false, row: every });
const proposal = at({ at: 'acquiring' }, { holds: false, row: [], ready: true });
const planning = at({ at: 'planning' }, { row: every });
const pruning = at({ at: 'pruning' }, { row: ['summarize'] });
const reading = at({ at: 'summarizing', part: 2, parts: 3 });
const switching = at({ at: 'switching' }, { proof: 'stopping', failure: 'stalled' });
const extracting = at({ at: 'extracting' }, { row: [] });
const checking = at({ at: 'checking', strategy: 'summarize' });
const saving = at({ at: 'saving', strategy: 'extract' }, { row: [] });
const part = (number: number, parts: number): Phase => ({ at: 'summarizing', part: number, parts });
const without = (state: AttemptState): AttemptState => ({ ...state, row: [] });

const failed = (failure: FailureKind): AttemptOutcome => ({ kind: 'failed', failure });
const deferred = (kind: 'model-busy' | 'worker-exiting'): AttemptOutcome => ({ kind: 'deferred', why: { kind } });
const superseded = (by: 'edit' | 'undo'): AttemptOutcome => ({ kind: 'superseded', by });
const nothing = (reason: 'nothing-covered' | 'inside-summary' | 'nothing-to-gain'): AttemptOutcome => ({
  kind: 'nothing-to-do',
  reason,
});
const committed: AttemptOutcome = { kind: 'committed', summaryId: 1 as SummaryId };
const [busy, exiting, noGain] = [deferred('model-busy'), deferred('worker-exiting'), nothing('nothing-to-gain')];
const [notSaved, lostLease] = [failed('commit-failed'), failed('lease-lost')];

const fence: Effect = { do: 'cancel-fence' };
const release: Effect = { do: 'release' };
const told = (outcome: AttemptOutcome): Effect => ({ do: 'end', outcome });
const pause = (failure: FailureKind, strategy: Strategy = 'summarize'): Effect => ({
  ...{ do: 'backoff', strategy, failure },
});
const growth = (strategy: Strategy): Effect => ({ do: 'await-growth', strategy });
const check = (strategy: Strategy): Effect => ({ do: 'check', strategy });
const open = (number: number): Effect => ({ do: 'open-part', part: number });
const stops = (why: Extract<Effect, { do: 'cancel-stream' }>['why']): Effect => ({ do: 'cancel-stream', why });
const bare = (what: 'acquire' | 'plan' | 'prune' | 'extract' | 'switch' | 'commit' | 'kill' | 'write-off'): Effect => ({
  do: what,
});

const cancel = (by: 'user' | 'unwind' | 'quit', outOfPatience = false): Input => ({ in: 'cancel', by, outOfPatience });
const fails = (failure: FailureKind, stream: 'settled' | 'running'): Input => ({ in: 'part-failed', failure, stream });
const refuses = (failure: FailureKind): Input => ({ in: 'refused', failure });
const given = (...row: Strategy[]): Input => ({ in: 'row', row });

/** An end that had nothing to release, or released it. */
const over = (outcome: AttemptOutcome): Partial<AttemptState> => ({ phase: { at: 'ended', outcome }, holds: false });
/** An end whose stream is not proved stopped: the lease stays. */
const kept = (outcome: AttemptOutcome): Partial<AttemptState> => ({
  ...{ phase: { at: 'ended', outcome }, proof: 'stopping' },
});
const extracts = { phase: extracting.phase, row: [] };

/** What is said, the state, the input, what of the state is other afterwards, and the effects. */
type Row = [what: string, from: AttemptState, input: Input, to: Partial<AttemptState>, effects: readonly Effect[]];
const rows = (...table: Row[]) =>
  test.each(table)('%s', (_what, from, input, to, effects) => {
    expect(step(from, input)).toEqual({ state: { ...from, ...to }, effects });
  });

describe('before the lease', () => {
  test('an attempt begins with no lease, no stream and no failure', () => {
    const first = { row: every, proof: 'none', holds: false, failure: null, parts: 0, second: true, ready: false };
    const waits = { state: { ...first, phase: waiting.phase }, effects: [] };
    const asks = { state: { ...first, phase: acquiring.phase }, effects: [bare('acquire')] };
    expect([begin(every, true, true, false), begin(every, false, true, false)]).toEqual([waits, asks]);
  });

  const waitOver = { in: 'slot-wait-over', must: true } as const;
  const noLines: AttemptState = { ...waiting, row: ['prune', 'summarize'] };
  rows(
    ['a free place asks for the lease', waiting, { in: 'slot-free' }, { phase: acquiring.phase }, [bare('acquire')]],
    [
      'a turn that must be compressed goes on without the busy model',
      waiting,
      waitOver,
      { phase: acquiring.phase, row: ['prune', 'extract'] },
      [bare('acquire')],
    ],
    ['a turn that must and may not extract is deferred', noLines, waitOver, over(busy), [told(busy)]],
    ['a busy model defers what can wait', waiting, { ...waitOver, must: false }, over(busy), [told(busy)]],
    ['a new row counts while it waits', waiting, given('extract'), { row: ['extract'] }, []],
    ['a new row counts while it asks', acquiring, given('extract'), { row: ['extract'] }, []],
  );
  for (const from of [waiting, acquiring])
    for (const by of ['user', 'unwind', 'quit'] as const) {
      const outcome: AttemptOutcome = { kind: 'cancelled', by };
      rows([
        `a cancel (${by}, ${from.phase.at}) pauses nothing`,
        from,
        cancel(by, true),
        over(outcome),
        [fence, told(outcome)],
      ]);
    }
});

describe('the answer about the lease', () => {
  const held: AttemptOutcome = { kind: 'deferred', why: { kind: 'lease-held', holder: 'x' } };
  const adopt = { in: 'kept', adopt: true } as const;
  const model: AttemptState = { ...acquiring, row: ['prune', 'summarize'] };
  const paused = [pause('commit-failed'), told(notSaved)];
  rows(
    ['it is mine', acquiring, { in: 'acquired' }, { phase: planning.phase, holds: true }, [bare('plan')]],
    ['another has it: who, is told', acquiring, { in: 'held', holder: 'x' }, over(held), [told(held)]],
    ['one that is kept defers', acquiring, { ...adopt, adopt: false }, over(exiting), [told(exiting)]],
    ['one that is kept is not adopted for a model', model, adopt, over(exiting), [told(exiting)]],
    ['one that is kept defers a proposal', proposal, { ...adopt, adopt: false }, over(exiting), [told(exiting)]],
    ['a database that stays busy is a pause', acquiring, { in: 'acquire-busy' }, over(notSaved), paused],
    ['and none for a proposal', proposal, { in: 'acquire-busy' }, over(notSaved), [told(notSaved)]],
  );
});

describe('planning and pruning', () => {
  const planned = { in: 'planned', parts: 5 } as const;
  const model: AttemptState = { ...planning, row: ['summarize', 'extract'] };
  for (const reason of ['nothing-covered', 'inside-summary'] as const) {
    const [outcome, more] = [nothing(reason), [told(nothing(reason)), release]];
    rows([`${reason} is an end`, planning, { in: 'nothing', reason }, over(outcome), more]);
  }
  rows(
    [
      'the first strategy of the row begins',
      planning,
      planned,
      { phase: pruning.phase, row: ['summarize', 'extract'], parts: 5 },
      [bare('prune')],
    ],
    ['a model begins at part one', model, planned, { phase: part(1, 5), row: ['extract'], parts: 5 }, [open(1)]],
    ['a new row counts while it plans', planning, given('extract'), { row: ['extract'] }, []],
    [
      'nothing to gain waits until the chat has grown',
      planning,
      { in: 'nothing', reason: 'nothing-to-gain' },
      over(noGain),
      [growth('summarize'), told(noGain), release],
    ],
    [
      'stubs that reach the target are saved',
      pruning,
      { in: 'pruned' },
      { phase: { at: 'saving', strategy: 'prune' } },
      [bare('commit')],
    ],
    [
      'stubs that do not are what the model reads',
      pruning,
      { in: 'pruned-short', parts: 2 },
      { phase: part(1, 2), row: [], parts: 2 },
      [open(1)],
    ],
    [
      'stubs that do not, where nothing follows, wait until the chat has grown',
      without(pruning),
      { in: 'pruned-short', parts: 2 },
      over(noGain),
      [growth('prune'), told(noGain), release],
    ],
    ['a new row lacks what runs', pruning, given(...every), { row: ['summarize', 'extract'] }, []],
  );
});

describe('a model writes', () => {
  const last = at(part(3, 3));
  const two: AttemptState = { ...reading, second: true };
  const empty = failed('empty');
  rows(
    ['the next part follows', reading, { in: 'part-done' }, { phase: part(3, 3) }, [open(3)]],
    ['the last part is checked', last, { in: 'part-done' }, { phase: checking.phase }, [check('summarize')]],
    ['a new row lacks what runs', reading, given(...every), { row: ['prune', 'extract'] }, []],
    [
      'a stream that failed by itself needs no stop',
      reading,
      fails('malformed', 'settled'),
      { ...extracts, failure: 'malformed' },
      [pause('malformed'), bare('extract')],
    ],
    [
      'after one that died by itself the second model begins at once',
      two,
      fails('died', 'settled'),
      { phase: switching.phase, second: false, failure: 'died' },
      [pause('died'), bare('switch')],
    ],
    [
      'the failure of the last of the row is the outcome',
      without(reading),
      fails('empty', 'settled'),
      { ...over(empty), failure: 'empty' },
      [pause('empty'), told(empty), release],
    ],
    [
      'skipping the model stops its stream',
      reading,
      { in: 'skip-model' },
      { ...extracts, proof: 'stopping' },
      [stops('user'), bare('extract')],
    ],
    ['a chat wants the model', reading, { in: 'model-busy' }, kept(busy), [fence, stops('busy'), told(busy)]],
  );
  for (const [failure, why] of [
    ['stalled', 'idle'],
    ['ceiling-exhausted', 'ceiling'],
  ] as const) {
    const input = fails(failure, 'running');
    const stopped = [stops(why), pause(failure)];
    const to = { failure, proof: 'stopping' } as const;
    const switches = { ...to, phase: switching.phase, second: false };
    rows(
      [`${failure}: extract begins beside it`, reading, input, { ...to, ...extracts }, [...stopped, bare('extract')]],
      [`${failure}: the second model waits for the proof`, two, input, switches, stopped],
    );
  }
});

describe('the second model', () => {
  const proved: AttemptState = { ...switching, proof: 'none' };
  const noPlace = fails('host-lost', 'settled');
  const stalled = failed('stalled');
  rows(
    ['it is planned after the proof', switching, { in: 'stopped' }, { proof: 'none' }, [bare('switch')]],
    ['a second proof plans nothing again', proved, { in: 'stopped' }, {}, []],
    ['it has parts of its own', proved, { in: 'planned', parts: 7 }, { phase: part(1, 7), parts: 7 }, [open(1)]],
    ['without a place for it the next follows', proved, noPlace, extracts, [bare('extract')]],
    ['or the first one’s failure', without(proved), noPlace, over(stalled), [told(stalled), release]],
    ['the user may skip it', switching, { in: 'skip-model' }, extracts, [bare('extract')]],
    ['a new row lacks what was tried', switching, given(...every), { row: ['prune', 'extract'] }, []],
    [
      'an end of the first that nobody saw leaves it untried',
      { ...switching, proof: 'killed' },
      { in: 'unseen' },
      { ...extracts, proof: 'written-off' },
      [bare('write-off'), bare('extract')],
    ],
  );
});

describe('extracting and checking', () => {
  const [cut, last] = [failed('cut'), without(checking)];
  const ends = [growth('summarize'), told(noGain), release];
  const toCheck: Phase = { at: 'checking', strategy: 'extract' };
  const toSave: Phase = { at: 'saving', strategy: 'summarize' };
  rows(
    ['what was extracted is checked', extracting, { in: 'extracted' }, { phase: toCheck }, [check('extract')]],
    ['a new row lacks what runs', extracting, given(...every), { row: ['prune', 'summarize'] }, []],
    ['accepted: it is saved', checking, { in: 'accepted' }, { phase: toSave }, [bare('commit')]],
    [
      'refused: the next one',
      checking,
      refuses('cut'),
      { ...extracts, failure: 'cut' },
      [pause('cut'), bare('extract')],
    ],
    [
      'refused, the last one: the end',
      last,
      refuses('cut'),
      { ...over(cut), failure: 'cut' },
      [pause('cut'), told(cut), release],
    ],
    ['no gain: the next one', checking, { in: 'no-gain' }, extracts, [growth('summarize'), bare('extract')]],
    ['no gain, the last one: the end', last, { in: 'no-gain' }, over(noGain), ends],
  );
});

describe('saving', () => {
  const done = { in: 'committed', outcome: committed } as const;
  const ready = at({ at: 'saving', strategy: null }, { ready: true, row: [] });
  const undone = superseded('undo');
  const paused = [fence, pause('commit-failed', 'extract'), told(notSaved), release];
  rows(
    ['committed', saving, done, over(committed), [told(committed), release]],
    ['committed beside a stream', { ...saving, proof: 'stopping' }, done, kept(committed), [told(committed)]],
    ['a failed commit pauses its strategy', saving, { in: 'commit-failed' }, over(notSaved), paused],
    ['and nothing of a proposal', ready, { in: 'commit-failed' }, over(notSaved), [fence, told(notSaved), release]],
    ['a lease that passed on stays', saving, { in: 'lease-passed' }, over(lostLease), [fence, told(lostLease)]],
    ['another ground', saving, { in: 'base-changed', by: 'undo' }, over(undone), [fence, told(undone), release]],
  );
});

describe('ends from outside', () => {
  const cancels = [
    ['user', false, []],
    ['user', true, [pause('stall-interrupted')]],
    ['unwind', false, [pause('interrupted')]],
    ['quit', true, [pause('interrupted')]],
  ] as const;
  for (const [by, outOfPatience, pauses] of cancels) {
    const input = cancel(by, outOfPatience);
    const outcome: AttemptOutcome = { kind: 'cancelled', by };
    const who = `a cancel (${by}, ${outOfPatience ? 'out of' : 'in'} patience)`;
    rows(
      [`${who} stops the stream`, reading, input, kept(outcome), [fence, stops(by), ...pauses, told(outcome)]],
      [`${who} between two models`, switching, input, kept(outcome), [fence, ...pauses, told(outcome)]],
      [`${who} beside no model pauses none`, extracting, input, over(outcome), [fence, told(outcome), release]],
    );
  }
  const [edit, edited] = [{ in: 'supersede', by: 'edit' } as const, superseded('edit')];
  const killed: AttemptState = { ...extracting, proof: 'killed' };
  rows(
    ['an edit stops the stream', reading, edit, kept(edited), [fence, stops('superseded'), told(edited)]],
    ['an edit before the lease', acquiring, edit, over(edited), [fence, told(edited)]],
    [
      'a data thread that failed stops the stream and pauses the model',
      reading,
      { in: 'data-failed' },
      kept(notSaved),
      [fence, stops('unwind'), pause('commit-failed'), told(notSaved)],
    ],
    [
      'a lost lease stops the stream first of all, and releases nothing',
      reading,
      { in: 'lease-lost' },
      { ...kept(lostLease), holds: false },
      [stops('lease-lost'), fence, told(lostLease)],
    ],
    ['a lost lease leaves the proof as it is', killed, { in: 'lease-lost' }, over(lostLease), [fence, told(lostLease)]],
  );
});

describe('the proof that a stream has stopped', () => {
  const ended = (proof: AttemptState['proof'], holds = true) => at({ at: 'ended', outcome: busy }, { proof, holds });
  const [stopped, grace, unseen] = [{ in: 'stopped' }, { in: 'grace-over' }, { in: 'unseen' }] as const;
  const freed = { proof: 'none', holds: false } as const;
  rows(
    ['it changes nothing of what goes on', { ...extracting, proof: 'stopping' }, stopped, { proof: 'none' }, []],
    ['it frees the lease of an ended attempt', ended('killed'), stopped, freed, [release]],
    ['it frees none that is not held', ended('killed', false), stopped, freed, []],
    ['it frees after a write-off too', ended('written-off'), stopped, freed, [release]],
    ['the grace over kills', ended('stopping'), grace, { proof: 'killed' }, [bare('kill')]],
    ['it kills once', ended('killed'), grace, {}, []],
    ['an end that nobody sees is written off', ended('killed'), unseen, { proof: 'written-off' }, [bare('write-off')]],
    ['what was not killed is not written off', ended('stopping'), unseen, {}, []],
  );
});
