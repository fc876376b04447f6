import { describe, expect, test } from 'vitest';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import { insertMessage } from '../db/messages-table';
import { shownStubs } from '../db/shown-stubs';
import { changeSummaryState } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { BULKY_TOKENS, stubOf, stubOfFiles } from './prune';

const count = (text: string) => Math.ceil(text.length / 4);
const bulk = (lines: number) =>
  Array.from({ length: lines }, (_, n) => `row ${n} of the table, with its values`).join('\n');

describe('a stub', () => {
  test('of a tool result is one line that says what it was and where the whole of it is', () => {
    const stub = stubOf({ seq: 7, role: 'tool', text: bulk(60) }, count);
    expect(stub).toBe(
      `[Tool result, left out here: 60 lines, ${bulk(60).length} characters, beginning with “row 0 of the table, with its values”. The whole of it is in message 7.]`,
    );
  });
  test('leaves what the user typed around a pasted block word for word', () => {
    const text = `Please look at this:\n\n\`\`\`csv\n${bulk(60)}\n\`\`\`\n\nand never change the third column.`;
    const stub = stubOf({ seq: 3, role: 'user', text }, count);
    expect(stub).toMatch(
      /^Please look at this:\n\n\[Pasted block, .*message 3\.\]\n\nand never change the third column\.$/,
    );
  });
  const inside = bulk(60);
  const says = (lines: number, text: string) =>
    `[Pasted block, left out here: ${lines} lines, ${text.length} characters,`;
  test.each<[string, string, string]>([
    ['of a block tells of what is inside the fence', `\`\`\`csv\n${inside}\n\`\`\``, says(60, inside)],
    ['of a block takes blanks after the fence for a part of it', `~~~\n${inside}\n~~~ \t`, says(60, inside)],
    ['of a block ends with the fence that it began with', `~~~~\n~~~\n${inside}\n~~~~`, says(61, `~~~\n${inside}`)],
    ['of a block whose fence was never closed ends with the message', `~~~\n${inside}`, says(60, inside)],
    [
      'of such a block takes a shorter fence at its end for a part of it',
      `~~~~\n${inside}\n~~~`,
      says(61, `${inside}\n~~~`),
    ],
  ])('%s', (_name, block, said) => {
    const stub = stubOf({ seq: 3, role: 'user', text: `log:\n${block}` }, count);
    expect(stub?.split('\n')).toEqual(['log:', expect.stringContaining(said)]);
    expect(stub).toMatch(/beginning with “(row 0 of the table, with its values|~~~)”/);
  });
  test('of two blocks is two, and what stands between them stays', () => {
    const block = `~~~\n${bulk(60)}\n~~~`;
    const stub = stubOf({ seq: 3, role: 'user', text: `${block}\nbut not\n${block}\nagain` }, count);
    expect(stub).toMatch(/^\[Pasted block, .*\]\nbut not\n\[Pasted block, .*\]\nagain$/);
  });
  test.each<[MessageRole, string]>([
    ['tool', 'x'.repeat(4 * BULKY_TOKENS)],
    ['user', `~~~\n${'x'.repeat(4 * BULKY_TOKENS - 8)}\n~~~`],
  ])('is made of what takes as many tokens as are bulky, not of one less (%s)', (role, text) => {
    expect(stubOf({ seq: 1, role, text }, count)).not.toBeNull();
    expect(stubOf({ seq: 1, role, text: text.replace('xxxx', '') }, count)).toBeNull();
  });
  test.each<[string, MessageRole, string]>([
    ['a short result', 'tool', bulk(5)],
    ['a short block', 'user', `look:\n\`\`\`\n${bulk(5)}\n\`\`\``],
    ['a long text that the user typed', 'user', bulk(60)],
    ['an answer, whatever it holds', 'assistant', `\`\`\`\n${bulk(60)}\n\`\`\``],
  ])('is not made of %s', (_name, role, text) => {
    expect(stubOf({ seq: 1, role, text }, count)).toBeNull();
  });
  test.each<[string, string, string]>([
    ['a long first line in part, whole characters only', '🜂'.repeat(200), `${'🜂'.repeat(80)}…`],
    ['a first line just too long without its last character', 'x'.repeat(81), `${'x'.repeat(80)}…`],
    ['a first line that has just room as it is', 'x'.repeat(80), 'x'.repeat(80)],
    ['one with room as it is, although its characters take two units each', '🜂'.repeat(80), '🜂'.repeat(80)],
    ['the first line that is not blank, without the blanks around it', '\n \t\n  here it is \t', 'here it is'],
  ])('quotes %s', (_name, first, quoted) => {
    const stub = stubOf({ seq: 1, role: 'tool', text: `${first}\n${bulk(60)}` }, count);
    expect(stub).toContain(`beginning with “${quoted}”.`);
  });
  test('of nothing but blanks quotes nothing', () => {
    expect(stubOf({ seq: 1, role: 'tool', text: ' \n'.repeat(1_000) }, count)).toContain('beginning with “”.');
  });
});

describe('a stub of a message with files', () => {
  const note = '\n\n[The whole of these files is in message 5.]';
  const of = (text: string, tokens: number) => stubOfFiles({ seq: 5, role: 'user', text }, tokens, count);

  test('is its text, with a line that says where the whole of them is', () => {
    expect(of('look at these', 1_000)).toBe(`look at these${note}`);
  });
  test('has its pasted blocks as stubs too', () => {
    expect(of(`look:\n~~~\n${bulk(60)}\n~~~`, 5_000)).toMatch(/^look:\n\[Pasted block, .*\]\n\n\[The whole of these/);
  });
  test('takes half of the message at most, else there is none', () => {
    const text = 'look at these';
    const half = count(text + note);
    expect(of(text, 2 * half)).toBe(text + note);
    expect(of(text, 2 * half - 1)).toBeNull();
  });
});

describe('pruning', () => {
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  let minted = 0;

  eachEngine((made) => {
    engine = made;
    session = engine.session();
  });

  const say = (role: MessageRole, text: string) =>
    engine.write((tx) => {
      const id = `20000000-0000-4000-8000-${String(++minted).padStart(12, '0')}` as MessageId;
      insertMessage(tx, { ...session, id, role, status: 'complete', text, turnId: null, now: 1 });
    });
  /** Turns with a bulky result each, then turns of plain words. */
  const fill = (bulky: number, plain: number, lines = 80) => {
    for (let n = 0; n < bulky; n++) {
      say('user', `question ${n}`);
      say('tool', bulk(lines));
      say('assistant', `answer ${n}`);
    }
    for (let n = 0; n < plain; n++) {
      say('user', `plain question ${n} ${'words '.repeat(100)}`);
      say('assistant', `plain answer ${n}`);
    }
  };
  const ask = async (text = 'a question') => {
    await engine.send(session, text);
    await engine.settle();
  };
  const sent = () => {
    const job = engine.requests().at(-1)?.job;
    if (job?.kind !== 'chat') throw new Error('no request');
    return job.messages.map((message) => message.content).join('\n');
  };

  test('alone reaches the target: no model is asked, the request carries the lines, and an undo brings all back', async () => {
    fill(7, 8);
    const before = engine.texts(session.branchId);
    await ask();
    expect(engine.ended).toMatchObject([{ kind: 'committed' }]);
    expect(engine.host.streams.filter((stream) => stream.job.kind === 'summary')).toHaveLength(0);
    expect(engine.texts(session.branchId).slice(0, before.length)).toEqual(before);
    expect(sent()).not.toContain('row 40 of the table');
    expect(sent().match(/\[Tool result, left out here/g)).toHaveLength(7);
    const [attempt] = engine.attempts(session.sessionId);
    expect(attempt).toMatchObject({ strategy: 'prune' });
    engine.requests()[0]?.answer('an answer');
    await engine.settle();

    const [stub] = shownStubs(engine.db, session.branchId).values();
    if (!stub) throw new Error('no stub');
    engine.write((tx) => changeSummaryState(tx, stub.summaryId, { from: 'active', to: 'undone', now: 2 }));
    expect(shownStubs(engine.db, session.branchId).size).toBe(0);
  });

  describe('with nothing to follow it', () => {
    const outcome = () => engine.ended.at(-1);

    test('commits what it gains although the target is not reached, and the request carries the lines', async () => {
      engine.models.change({ canSummarize: false });
      fill(2, 23);
      await ask();
      expect(engine.attempts(session.sessionId)).toMatchObject([{ need: 'pressure', strategy: 'prune' }]);
      expect(outcome()?.kind).toBe('committed');
      expect(sent().match(/\[Tool result, left out here/g)).toHaveLength(2);
      engine.requests()[0]?.answer('an answer');
    });

    test('says that there is nothing to gain where the range is hardly smaller, and looks again when it has grown', async () => {
      engine.models.change({ canSummarize: false });
      fill(1, 30, 35);
      await ask();
      expect(outcome()).toEqual({ kind: 'nothing-to-do', reason: 'nothing-to-gain' });
      expect(shownStubs(engine.db, session.branchId).size).toBe(0);
      expect(sent()).toContain('row 30 of the table');
      engine.requests()[0]?.answer('an answer');
      await engine.settle();
      await ask('a further question');
      expect(engine.attempts(session.sessionId)).toHaveLength(1);
    });

    test('commits the little that makes a request fit', async () => {
      engine.models.change({ canSummarize: false });
      engine.extractAllowed = false;
      fill(1, 35, 35);
      await ask();
      expect(engine.attempts(session.sessionId)).toMatchObject([{ need: 'must', strategy: 'prune' }]);
      expect(outcome()?.kind).toBe('committed');
      expect(engine.turn(session.sessionId)?.state).toBe('requesting');
    });

    test('commits by hand whatever it saves', async () => {
      fill(1, 30, 35);
      await engine.attempt(session, 'manual', ['prune']);
      expect(outcome()?.kind).toBe('committed');
    });
  });

  test('says as its gain what the lines saved, not the whole range', async () => {
    fill(7, 8);
    const attempt = await engine.attempt(session, 'manual', ['prune']);
    const { outcome, tokensShown, tokensBefore } = attempt.view();
    expect(outcome?.kind).toBe('committed');
    expect(tokensShown).toBe(tokensBefore);
  });

  test('that falls short is only what the model reads', async () => {
    fill(4, 40);
    await ask();
    const reading = engine.host.last.job;
    if (reading.kind !== 'summary') throw new Error('not read');
    expect(reading.messages.at(-1)?.content).toContain('[Tool result, left out here: 80 lines');
    expect(reading.messages.at(-1)?.content).not.toContain('row 40 of the table');
    await engine.answerAll('## State\n- plain question 1');
    expect(engine.shown(session.branchId)).toHaveLength(1);
    expect(shownStubs(engine.db, session.branchId).size).toBe(0);
  });

  test('serves a model that cannot summarize, past the soft mark, and starts nothing where nothing is bulky', async () => {
    engine.models.change({ canSummarize: false });
    fill(0, 24);
    await ask();
    engine.requests().at(-1)?.answer('an answer');
    await engine.pass(10_000);
    expect(engine.attempts(session.sessionId)).toHaveLength(0);

    const other = engine.session();
    session = other;
    fill(4, 5);
    await ask();
    engine.requests().at(-1)?.answer('an answer');
    await engine.pass(10_000);
    expect(engine.attempts(other.sessionId)).toMatchObject([{ need: 'ahead', strategy: 'prune' }]);
    expect(engine.ended.at(-1)?.kind).toBe('committed');
  });

  test('the newest turns keep their results', async () => {
    fill(6, 2);
    say('user', 'look it up');
    say('tool', bulk(60));
    say('assistant', 'found');
    await ask();
    expect(sent().match(/\[Tool result, left out here/g)).toHaveLength(6);
    expect(sent()).toContain('row 59 of the table');
  });
});
