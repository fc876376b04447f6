// The text from which the practice model has its tokens and its idea of what word follows what.
import { seededRandom } from './random.mjs';

const WHO = [
  'The team',
  'The user',
  'The assistant',
  'The reviewer',
  'The editor',
  'Anna',
  'The session',
  'The report',
];
const WANTS = ['agreed to', 'decided to', 'wants to', 'plans to', 'asked the assistant to', 'was able to', 'needs to'];
const ACT = [
  'move the release to Friday',
  'keep the notes short',
  'write a summary of the meeting',
  'open the file again',
  'search the folder for notes',
  'check the results before the end of the week',
  'save the draft in the project folder',
  'run the tests on this machine',
  'read the long document first',
  'send the answer to the group',
];
const WHY = [
  'because the tests were slow',
  'since the budget is small',
  'so that nobody has to wait',
  'after the first draft was read',
  'while the model runs on this computer',
  'before the next step starts',
  'as the list of open questions grew',
];
const OPENING = ['The next step is to', 'In short, it is best to', 'One open question is how to', 'The plan is to'];
const SENTENCES = 1500;

/** Plain sentences from a few templates, a line break after each fourth. */
export function practiceCorpus() {
  const random = seededRandom(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  let text = '';
  for (let i = 0; i < SENTENCES; i++) {
    const kind = random();
    if (kind < 0.6) text += `${pick(WHO)} ${pick(WANTS)} ${pick(ACT)} ${pick(WHY)}.`;
    else if (kind < 0.8) text += `${pick(OPENING)} ${pick(ACT)} and ${pick(ACT)}.`;
    else text += `${pick(WHO)} ${pick(WANTS)} ${pick(ACT)}, and then ${pick(ACT)}.`;
    text += i % 4 === 3 ? '\n' : ' ';
  }
  return text;
}
