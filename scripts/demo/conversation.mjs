// A long conversation between a small company and its assistant about moving an old order system to a new one.
// Everything in it is this project's own words: the sentences stand in conversation/topics-*.mjs, the tables, logs and
// statements are drawn from their numbers in conversation/artifacts.mjs. No company, person or address in it is real.
// The generator is deterministic: the same text every time, so that two runs of the demo can be compared.
import { artifact } from './conversation/artifacts.mjs';
import { dataTopics } from './conversation/topics-data.mjs';
import { moveTopics } from './conversation/topics-move.mjs';
import { workTopics } from './conversation/topics-work.mjs';

/** Said of the text wherever the demo shows it. */
export const ORIGIN =
  "the project's own words, put together by scripts/demo/conversation.mjs (deterministic; no real company or person)";
export const TITLE = 'Moving the order system';

const OPENING = [
  'I want to move our order system from Kontor to Lagune. Kontor is PHP with MySQL 5.5 on the server atlas, Lagune runs on PostgreSQL 15 on borealis; it should happen in one night, without losing an order and without a closed shop on Monday. We are Halden & Rieck, 14 people, and sell garden tools since 1987. Never write to atlas while the shop is open. Help me to plan it piece by piece; I will tell you what I find and what we decide.',
  'Good. Then I suggest that we go through it by what hurts most when it goes wrong: customers, articles, prices, stock, orders, invoices; then what hangs on them; then the night itself. For each piece I would like to know what is there, what must stay true, who decides, and how we see that it has worked.\n\nThree things I take as fixed from your first words:\n\n- atlas is not written to while the shop is open\n- the shop is open on Monday morning\n- no order is lost, which we prove with a number and not with a feeling\n\nI will keep a list of decisions with their dates, and say so when something new contradicts an older one.',
];

/** The newest turns, short on purpose: they are what is sent as they are. */
const ENDING = [
  'Ten days to go. What is still open?',
  'Three things: the price approval by Marta for 2026-04-10, the two who were ill on Thursday at 14:00, and the new SFTP key of Haida, which is announced but not yet used. All 34 steps of the paper have a name and a time.',
  'Wei Lin wrote: 新密钥已经收到，周五更换。 So the key is settled.',
  'Good, then two are left. I noted Friday as the day of the change; both keys are accepted until 2026-04-30, so a delay does no harm.',
  'Danke. Bitte erinnere mich am Donnerstag an den Umschlag bei Marta.',
  'Gern: Donnerstag, 2026-04-09, der Umschlag mit dem Passwort für den Schrank. Er steht als Schritt 0 auf dem Papier, vor allem anderen.',
];

const BACK = ['Back to', 'Once more about', 'Something else on', 'I thought again about', 'One more thing on'];
const CLOSING = [
  'Tell me when you have looked at it; until then I leave {ticket} open.',
  'I put this under {ticket}.',
  'If the numbers agree with yours, {ticket} can go to rehearsed.',
  'The next piece needs nothing from this one, so we can go on.',
  'Does that agree with what you see on atlas?',
  'I would do it tomorrow morning, before the shop gets busy.',
];

/** Every message in order, who wrote it, and the text as Markdown that can be imported. */
export function conversation() {
  const random = new Random(20_260_412);
  const topics = [...dataTopics, ...workTopics, ...moveTopics];
  const texts = [...OPENING];
  topics.forEach((topic, index) => {
    for (let step = 0; step < 3; step++) texts.push(...turn(topic, index, step, random));
    // what comes up later, as it does: about the piece before the last one
    if (index > 0) texts.push(...later(topics[index - 1], index - 1, random));
  });
  texts.push(...later(topics.at(-1), topics.length - 1, random), ...ENDING);
  const body = texts.map((text, index) => `${index % 2 === 0 ? '## User' : '## Assistant'}\n\n${text}`).join('\n\n');
  return {
    texts,
    turns: texts.length / 2,
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    markdown: `# ${TITLE}\n\n${body}\n`,
  };
}

function turn(topic, index, step, random) {
  const question = topic.ask[step];
  const first = topic.say[step === 2 ? 4 : step * 2];
  const second = step === 2 ? '' : topic.say[step * 2 + 1];
  const extras = [artifact(index * 7 + step * 2, topic, random), artifact(index * 7 + step * 2 + 1, topic, random)];
  const closing = random.one(CLOSING).replace('{ticket}', topic.ticket);
  return [question, [[first, second].filter(Boolean).join(' '), ...extras, closing].join('\n\n')];
}

function later(topic, index, random) {
  const question = `${random.one(BACK)} ${topic.name}. ${topic.ask[3]}`;
  // a correction stands at the beginning, as people write it
  const asked = /^(?:Correction|Actually|Sorry|Eigentlich|Instead)/.test(topic.ask[3]) ? topic.ask[3] : question;
  return [asked, `${topic.say[5]}\n\n${artifact(index * 7 + 6, topic, random)}`];
}

/** Numbers that are the same every time (mulberry32). */
class Random {
  #state;
  constructor(seed) {
    this.#state = seed;
  }
  share() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** A whole number from 0 to below `limit`. */
  below(limit) {
    return Math.floor(this.share() * limit);
  }
  one(list) {
    return list[this.below(list.length)];
  }
  /** So many of the list, in its order. */
  some(count, list) {
    const left = [...list.keys()];
    while (left.length > count) left.splice(this.below(left.length), 1);
    return left.map((place) => list[place]);
  }
  hex(length) {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }
}
