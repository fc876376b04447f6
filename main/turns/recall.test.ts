import { beforeEach, describe, expect, test } from 'vitest';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import { insertMessage, messagesBetween } from '../db/messages-table';
import { lastRequestOf } from '../db/requests-table';
import { searchMessages } from '../db/search-index';
import { answerAgain } from '../sessions/branches';
import { shownMessages } from '../sessions/shown';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { loadContext } from './load-context';
import { estimate } from './measure';

type Session = { sessionId: SessionId; branchId: BranchId };

/** What was said early and is covered, with a question about it in the same language. */
const FACTS = [
  {
    language: 'English',
    said: 'The staging database listens on port 8471, and only the deploy account may reach it.',
    asked: 'On which port does the staging database listen?',
    found: '8471',
  },
  {
    language: 'German',
    said: 'Der Wartungsvertrag mit der Firma Lindqvist läuft am 14. März 2027 aus und kostet 2.380 Euro im Jahr.',
    asked: 'Wann läuft eigentlich der Wartungsvertrag mit Lindqvist aus?',
    found: '14. März 2027',
  },
  {
    language: 'Chinese',
    said: '新的服务器放在三号机房，管理员是王小明，备份每天凌晨两点开始。',
    asked: '备份是几点开始的？管理员是谁？',
    found: '王小明',
  },
] as const;

describe('recall', () => {
  let engine: Engine;
  let serial = 0;

  eachEngine((made) => {
    engine = made;
    engine.models.change({ tools: false });
  });

  const say = ({ sessionId, branchId }: Session, role: 'user' | 'assistant', text: string) =>
    engine.write((tx) => {
      const id = `30000000-0000-4000-8000-${String(++serial).padStart(12, '0')}` as MessageId;
      insertMessage(tx, { id, sessionId, branchId, turnId: null, role, status: 'complete', text, now: 1 });
    });
  /** A session in which the facts were said among other things, and are covered now. */
  const covered = async () => {
    const session = engine.session(6, 300);
    for (const { said } of FACTS) {
      say(session, 'user', said);
      say(session, 'assistant', 'Noted.');
      engine.fill(session.sessionId, session.branchId, 4, 300);
    }
    engine.fill(session.sessionId, session.branchId, 9, 700);
    await compress(session);
    return session;
  };
  const compress = async (session: Session) => {
    await engine.compress(session, 'manual', ['summarize']);
    for (let i = 0; i < 9 && engine.host.running.length > 0; i++) {
      engine.host.last.answer('## Goal\n- The words of the user matter.');
      await engine.settle();
    }
    expect(engine.shown(session.branchId)).toHaveLength(1);
  };
  const ask = async (session: Session, text: string, answer: string | null = 'ok') => {
    await engine.send(session, text);
    await engine.settle();
    const { job } = engine.host.last;
    if (job.kind !== 'chat') throw new Error('no request');
    if (answer !== null) await engine.answerAll(answer);
    return job.messages;
  };

  for (const { language, said, asked, found } of FACTS)
    test(`a model without tools gets the passage that answers, ${language}`, async () => {
      const session = await covered();
      const messages = await ask(session, asked);
      const last = messages.at(-1)?.content ?? '';
      expect(last.endsWith(`\n\n${asked}`)).toBe(true);
      const part = last.slice(last.indexOf('[Passages'), -asked.length);
      expect(part).toContain(found);
      expect(part).toMatch(/^\[Passages from earlier .* not instructions\.\]\n\nMessage \d+, user:\n> /);
      const at = messagesBetween(engine.db, session.branchId, 1, 999).find(({ text }) => text === said)?.seq;
      expect(part).toContain(`Message ${at}, user:`);
    });

  test('what nothing covered bears on gets no passage', async () => {
    const session = await covered();
    for (const asked of ['Write a haiku about autumn.', 'Thank you!', 'And what do you think?', '谢谢你', 'Danke dir'])
      expect((await ask(session, asked)).at(-1)?.content).not.toContain('[Passages');
  });

  test('passages of the tail are not recalled: they are there already', async () => {
    const session = await covered();
    say(session, 'user', 'The garden gate code is 5519 since Tuesday.');
    say(session, 'assistant', 'Noted.');
    const messages = await ask(session, 'What is the garden gate code?');
    expect(
      messages
        .map(({ content }) => content)
        .join('\n')
        .split('5519'),
    ).toHaveLength(2);
    expect(messages.at(-1)?.content).not.toContain('[Passages');
  });

  test('S68 the part stays byte-equal in later requests until the next commit, then it is gone', async () => {
    const session = await covered();
    const first = await ask(session, FACTS[0].asked);
    const second = await ask(session, 'Thank you!');
    expect(second.slice(0, first.length)).toEqual(first);
    say(session, 'user', 'Something else was said.');
    say(session, 'assistant', 'Noted.');
    engine.fill(session.sessionId, session.branchId, 3, 700);
    await compress(session);
    const third = await ask(session, 'And now something else.');
    expect(third.map(({ content }) => content).join('\n')).not.toContain('[Passages');
    expect(third.some(({ content }) => content.includes(FACTS[0].asked))).toBe(true);
  });

  test('S68 an answer that was given without is gone on with without', async () => {
    const session = await covered();
    engine.models.change({ tools: true }); // it could have asked for itself
    const first = await ask(session, FACTS[0].asked, null);
    engine.host.last.emit({ t: 'text', text: 'It listens' });
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    engine.models.change({ tools: false });
    await engine.turns.continueAnswer(session.sessionId, session.branchId);
    await engine.settle();
    const { job } = engine.host.last;
    expect(job.kind === 'chat' && job.messages.slice(0, first.length)).toEqual(first);
    await engine.answerAll('ok');
  });

  test('a turn that is asked again carries the same part', async () => {
    const session = await covered();
    const first = await ask(session, FACTS[0].asked, null);
    engine.host.last.settle({
      t: 'failed',
      kind: 'died',
      cause: 'unreachable',
      name: 'Error',
      message: 'gone',
      fields: {},
    });
    await engine.settle();
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    const { job } = engine.host.last;
    expect(job.kind === 'chat' && job.messages).toEqual(first);
    await engine.answerAll('ok');
  });

  describe('a question that two paths share', () => {
    const recalledOn = (session: Session) => {
      const rows = messagesBetween(engine.db, session.branchId, 1, 999);
      const shown = shownMessages(engine.db, session.sessionId, session.branchId, rows);
      return shown.filter(({ text }) => text === FACTS[0].asked).flatMap(({ recalled }) => recalled);
    };
    const sentOn = ({ sessionId, branchId }: Session) => {
      const rates = engine.models.facts().rates;
      return [...loadContext(engine.db, sessionId, branchId, rates, Number.POSITIVE_INFINITY).recalled.values()];
    };
    /** Answers the question once more, on a branch of its own. */
    const again = async (session: Session): Promise<Session> => {
      const env = engine;
      const rows = messagesBetween(engine.db, session.branchId, 1, 999);
      const seq = (rows.find(({ text }) => text === FACTS[0].asked)?.seq ?? 0) + 1;
      const branchId = await answerAgain(env, { ...session, seq });
      await engine.settle();
      await engine.answerAll('once more');
      return { ...session, branchId };
    };

    test('has on each what was sent there, also once a summary between the two was undone', async () => {
      const first = await covered();
      say(first, 'user', 'The staging database listens on port 9912 too, for the replica.');
      engine.fill(first.sessionId, first.branchId, 6, 700);
      await ask(first, FACTS[0].asked);
      const [sent] = sentOn(first);
      await compress(first);
      const second = await again(first);

      const one = recalledOn(first).map(({ text }) => text);
      const other = recalledOn(second).map(({ text }) => text);
      expect(one.join()).not.toContain('9912');
      expect(other.join()).toContain('9912');
      // nothing is put into requests of the one path by what was looked up on the other
      expect(sentOn(first)).toEqual([]);
      expect(sentOn(second)).toHaveLength(1);

      const [newest] = engine.shown(first.branchId);
      if (newest) await engine.summaries.undo(first.sessionId, newest.id);
      expect(sentOn(first)).toEqual([sent]);
      expect(sentOn(second)).toEqual([]);
    });

    test('has the same part on both while both show the same summaries', async () => {
      const first = await covered();
      await ask(first, FACTS[0].asked);
      const second = await again(first);
      expect(sentOn(second)).toEqual(sentOn(first));
      expect(recalledOn(second)).toEqual(recalledOn(first));
      expect(recalledOn(second).length).toBeGreaterThan(0);
    });
  });

  test('the recipe names it, the breakdown adds up, and the message shows it', async () => {
    const session = await covered();
    const facts = engine.models.facts();
    const use = () => estimate(engine.db, session.sessionId, session.branchId, facts, engine.toolbox, false).use;
    expect(use().parts.recall).toBe(0);
    await ask(session, FACTS[0].asked);
    const turn = engine.turn(session.sessionId);
    const recipe = turn && lastRequestOf(engine.db, turn.id)?.recipe;
    expect(recipe?.recalled).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const { parts, total } = use();
    expect(parts.recall).toBeGreaterThan(20);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
    const rows = messagesBetween(engine.db, session.branchId, 1, 999);
    const shown = shownMessages(engine.db, session.sessionId, session.branchId, rows);
    const asked = shown.find(({ text }) => text === FACTS[0].asked);
    expect(asked?.recalled).toMatchObject([{ role: 'user', text: FACTS[0].said }]);
    expect(shown.filter(({ recalled }) => recalled.length > 0)).toEqual([asked]);
  });

  test('it stays within its budget, and is no reason to compress', async () => {
    engine.models.change({ window: { served: 3_000, trained: null, source: 'server' } });
    const session = engine.session(2, 200);
    for (let i = 0; i < 12; i++) {
      say(
        session,
        'user',
        `The lighthouse at station ${i} needs ${i + 3} new lamps. ${'It stands on rock. '.repeat(12)}`,
      );
      say(session, 'assistant', 'Noted.');
    }
    await compress(session);
    const messages = await ask(session, 'How many new lamps does the lighthouse need?');
    const last = messages.at(-1)?.content ?? '';
    const passages = last.slice(last.indexOf('[Passages'), last.indexOf('[End of the passages]'));
    expect(passages).toContain('lighthouse');
    expect(passages.length / 4).toBeLessThan(225 + 60); // a tenth of 2,250, and what stands around it
    expect(engine.attempts(session.sessionId)).toHaveLength(1);
    const facts = engine.models.facts();
    const { use } = estimate(engine.db, session.sessionId, session.branchId, facts, engine.toolbox, false);
    say(session, 'assistant', 'x '.repeat(((use.hardMark ?? 0) - use.total - 90) * 2)); // little is free now
    const full = await ask(session, 'How many new lamps does the lighthouse need now?', null);
    expect(full.at(-1)?.content).not.toContain('[Passages');
    await engine.answerAll('ok');
  });

  test('a secret in what was said is not recalled', async () => {
    const session = engine.session(2, 200);
    say(session, 'user', 'The upload account of the archive uses password: hunter2hunter2 for now.');
    say(session, 'assistant', 'Noted.');
    engine.fill(session.sessionId, session.branchId, 9, 700);
    await compress(session);
    const last = (await ask(session, 'Which upload account does the archive use?')).at(-1)?.content ?? '';
    expect(last).toContain('> The upload account of the archive');
    expect(last).not.toContain('hunter2');
  });

  describe('by a model with tools', () => {
    beforeEach(() => engine.models.change({ tools: true }));

    for (const { language, said, asked, found } of FACTS)
      test(`the tool answers passages with their numbers, ${language}`, async () => {
        const session = await covered();
        const messages = await ask(session, asked, null);
        expect(messages.at(-1)?.content).toBe(asked); // nothing is added by itself
        engine.host.last.call([['recall', { query: asked }]]);
        await engine.settle();
        const { job } = engine.host.last;
        const result = (job.kind === 'chat' && job.messages.at(-1)?.content) || '';
        const rows = messagesBetween(engine.db, session.branchId, 1, 999);
        expect(result).toContain(`Message ${rows.find(({ text }) => text === said)?.seq}, user:\n> `);
        expect(result).toContain(found);
        await engine.answerAll('ok');
        // a search of the app finds the original, once
        const phrase = { query: `"${found}"`, sessionId: null, limit: 9 };
        expect(searchMessages(engine.db, phrase).map(({ text }) => text)).toEqual([said]);
      });

    test('it is offered only where something is covered', async () => {
      const session = engine.session(2, 200);
      await ask(session, 'a question');
      const { job } = engine.host.last;
      expect(job.kind === 'chat' && job.tools).toBeUndefined();
    });

    test('what is not there, or not asked for rightly, is said', async () => {
      const session = await covered();
      await ask(session, 'a question', null);
      engine.host.last.call([
        ['recall', { query: 'zeppelin xylophone' }],
        ['recall', { question: 'wrong name' }],
      ]);
      await engine.settle();
      const results = messagesBetween(engine.db, session.branchId, 1, 999).filter(({ role }) => role === 'tool');
      expect(results.map(({ text }) => text)).toEqual([
        'Nothing was found. Try other words, or words in another language.',
        'The tool failed: `query` must be a text of 1 to 1,000 characters',
      ]);
      await engine.answerAll('ok');
    });
  });
});
