import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { all } from '../db/database';
import { calibrate, DEFAULT_RATES } from '../providers/token-rates';
import { conversations, promptCounts } from '../testing/conversations';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { partsOf, totalOf } from './context';
import { loadSizes } from './load-context';
import { estimate } from './measure';

type Session = { sessionId: SessionId; branchId: BranchId };

let engine: Engine;
eachEngine((made) => {
  engine = made;
  engine.models.change({ rates: DEFAULT_RATES, window: { served: 200_000, trained: 200_000, source: 'server' } });
  // what the app's registry does with each reported count
  engine.models.reported = (_ref, sent, messages, promptTokens) => {
    const { rates, window } = engine.models.facts();
    engine.models.change({ rates: calibrate(rates, { sent, messages, promptTokens, window: window.served }) });
  };
});

/** By how much each question of a conversation was measured wrong, as shares of what the tokenizer counts. */
interface Errors {
  /** Of what left, as the meter shows it: with the server's last count where there is one. */
  readonly measured: number[];
  /** Of an estimate by the rates alone, as after a compaction, a changed prompt or an undone summary. */
  readonly estimated: number[];
}

/** Talks it through as the app would; the server reports its count after each answer. */
async function replay(session: Session, tokenizer: string, language: string): Promise<Errors> {
  const counts = promptCounts[tokenizer]?.[language] ?? [];
  const messages = conversations.get(language) ?? [];
  const errors: Errors = { measured: [], estimated: [] };
  for (const [turn, truth] of counts.entries()) {
    await engine.send(session, messages[turn * 2]?.content ?? '');
    await engine.settle();
    const { counted } = all<{ counted: number }>(engine.db, 'SELECT counted FROM requests').at(-1) ?? { counted: 0 };
    errors.measured.push(counted / truth - 1);
    const { rates } = engine.models.facts();
    const sizes = loadSizes(engine.db, session.sessionId, session.branchId, rates, 1_000_000);
    errors.estimated.push(totalOf(partsOf(sizes, [], rates)) / truth - 1);
    addsUp(session);
    engine.host.last.emit({ t: 'usage', prompt: truth });
    engine.host.last.answer(messages[turn * 2 + 1]?.content ?? '');
    await engine.settle();
    addsUp(session);
  }
  return errors;
}

/** S77: at every moment the parts are whole tokens that add up to the total. */
function addsUp(session: Session): void {
  const { use } = estimate(
    engine.db,
    session.sessionId,
    session.branchId,
    engine.models.facts(),
    engine.toolbox,
    false,
  );
  const parts = Object.values(use.parts);
  expect(parts.every(Number.isInteger)).toBe(true);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(use.total);
}

const TOKENIZERS = Object.keys(promptCounts);
const LANGUAGES = [...conversations.keys()];
const largest = (errors: readonly number[]) => Math.max(...errors.slice(3).map(Math.abs));

test('the corpus has four languages of eight turns, counted by six tokenizers', () => {
  expect(LANGUAGES.sort()).toEqual(['chinese', 'code', 'english', 'german']);
  expect(TOKENIZERS).toHaveLength(6);
  for (const counts of Object.values(promptCounts))
    for (const language of LANGUAGES) {
      expect(conversations.get(language)).toHaveLength(16);
      expect(counts[language]).toHaveLength(8);
    }
});

for (const tokenizer of TOKENIZERS)
  describe(tokenizer, () => {
    test.each(LANGUAGES)('S76 S77 %s: within 10 % after three turns, and every breakdown adds up', async (language) => {
      const errors = await replay(engine.session(), tokenizer, language);
      expect(largest(errors.measured)).toBeLessThan(0.1);
      expect(largest(errors.estimated)).toBeLessThan(0.1);
    });

    test.each([
      ['english', 'chinese'],
      ['code', 'chinese'],
      ['chinese', 'english'],
      ['english', 'code'],
      ['code', 'german'],
    ])('S76 a model that has spoken %s is within a tenth in %s after three turns too', async (spoken, language) => {
      await replay(engine.session(), tokenizer, spoken);
      const errors = await replay(engine.session(), tokenizer, language);
      expect(largest(errors.measured)).toBeLessThan(0.1);
      expect(largest(errors.estimated)).toBeLessThan(0.1);
    });
  });
