// A long conversation that holds the facts, in parts: after each part the session is compressed.
import { chinese } from './chinese.mjs';
import { diceOf } from './dice.mjs';
import { english } from './english.mjs';
import { plantFacts, STANDING } from './facts.mjs';
import { german } from './german.mjs';

const LANGUAGES = Object.fromEntries([english, german, chinese].map((language) => [language.name, language]));
/** What stands before a passage from a document. */
const LEADS = [
  'This is from their documentation:',
  'I found this passage:',
  'The text says:',
  'Das steht in der Anleitung:',
  '文档原文如下：',
];
/** Facts a turn holds, on average. */
const FACTS_A_TURN = 3;

/**
 * { facts, parts, newest }: `parts` = lists of { role, text } for `compressions` + 1 stretches, `newest` = the question
 * that comes after the last compression. Each fact gets `role` and `at`, the index of the message that holds it.
 */
export function writeConversation({ root, seed, facts: count, compressions }) {
  const dice = diceOf(seed);
  const facts = plantFacts(root, count, dice);
  const turns = Array.from({ length: Math.ceil(count / FACTS_A_TURN) }, () => ({ user: [], assistant: [], tool: [] }));
  for (const [i, fact] of facts.entries()) {
    const turn = Math.floor((i * turns.length) / facts.length);
    const role = roleOf(fact, dice);
    turns[turn][role].push(fact);
    // what a correction corrects was said well before it
    if (fact.before)
      turns[Math.max(0, turn - dice.between(4, 12))].user.push({ ...fact, sentence: fact.before, older: true });
  }
  const messages = [];
  const put = (role, text, held) => {
    for (const fact of held) if (!fact.older) Object.assign(facts[fact.id], { at: messages.length, role });
    messages.push({ role, text });
  };
  const bounds = [];
  for (const [i, turn] of turns.entries()) {
    if (i > 0 && Math.floor((i * (compressions + 1)) / turns.length) > bounds.length) bounds.push(messages.length);
    writeTurn(turn, dice, put);
  }
  const starts = [0, ...bounds];
  const parts = starts.map((start, i) => messages.slice(start, starts[i + 1] ?? messages.length));
  return { facts, parts, newest: `What should we do next? ${english.filler[0](dice.pick(english.subjects))}` };
}

function roleOf(fact, dice) {
  if (STANDING.includes(fact.kind)) return 'user';
  if (fact.passage) return dice.pick(['user', 'assistant', 'tool']);
  return dice.chance(0.5) ? 'user' : 'assistant';
}

function writeTurn(turn, dice, put) {
  const language = LANGUAGES[[...turn.user, ...turn.assistant].find((fact) => !fact.passage)?.language] ?? english;
  put('user', spoken(turn.user, language, dice, 1), turn.user);
  if (turn.tool.length > 0) put('tool', turn.tool.map((fact) => fact.passage).join('\n\n'), turn.tool);
  put('assistant', spoken(turn.assistant, language, dice, 3), turn.assistant);
}

/** Sentences of one text; between two Chinese ones there is no blank. */
function joined(sentences) {
  return sentences.reduce(
    (text, next) => `${text}${/[。！？]$/.test(text) && /^[\u3400-\u9fff]/.test(next) ? '' : ' '}${next}`,
  );
}

/** Sentences with facts among others without; what comes from a document stands in a paragraph of its own. */
function spoken(facts, language, dice, fillers) {
  const own = facts.filter((fact) => !fact.passage).map((fact) => fact.sentence);
  const around = Array.from({ length: fillers + dice.below(2) }, () =>
    dice.pick(language.filler)(dice.pick(language.subjects), dice.pick(language.subjects)),
  );
  const said = joined(dice.shuffled([...own, ...around]));
  const quoted = facts.filter((fact) => fact.passage).map((fact) => `${dice.pick(LEADS)}\n\n${fact.passage}`);
  return [said, ...quoted].join('\n\n');
}
