/** A needle run in small, for every change: `npm run fidelity` plants 200 facts in three languages and counts. */
import { describe, expect, test } from 'vitest';
import type { MessageRole } from '../../../shared/model/message';
import { TempProfile } from '../profile';
import { type PlantedFact, type RunReport, runFidelity } from './run';

/** What the user said, by kind: the words that must be left of it, and what somebody would ask who wants to know it. */
const PLANTED = [
  [
    'rule',
    'Never deploy the billing service on a Friday.',
    'deploy the billing service on a Friday',
    'When may the billing service be deployed?',
  ],
  [
    'rule',
    'Do not write to the bucket named harvest-legacy.',
    'write to the bucket named harvest-legacy',
    'Which bucket is read only?',
  ],
  [
    'rule',
    'Always answer customers in the language that they wrote in.',
    'answer customers in the language that they wrote in',
    'In which language are customers answered?',
  ],
  [
    'correction',
    'Correction: the nightly copy goes to /srv/vault/nightly instead of /srv/old/nightly.',
    '/srv/vault/nightly',
    'Where does the nightly copy go?',
  ],
  [
    'identifier',
    'The ticket for the broken login page is OPS-4711.',
    'OPS-4711',
    'Which ticket is for the broken login page?',
  ],
  [
    'identifier',
    'The release that works with the old printers is v3.18.2.',
    'v3.18.2',
    'Which release works with the old printers?',
  ],
  [
    'path',
    'The key of the mail gateway lies in /etc/gateway/relay-7.pem.',
    '/etc/gateway/relay-7.pem',
    'Where is the key of the mail gateway?',
  ],
  ['number', 'The index of the archive takes 4,380 MB on disk.', '4,380 MB', 'How large is the index of the archive?'],
  [
    'date',
    'The lease of the server room ends on 2027-03-14.',
    '2027-03-14',
    'When does the lease of the server room end?',
  ],
  [
    'name',
    'The contract is signed by Ingrid Lindqvist of the harbour office.',
    'Ingrid Lindqvist',
    'Who signs the contract of the harbour office?',
  ],
] as const;
/** Said first, and replaced by the correction. */
const STALE = '/srv/old/nightly';

const PARTS = 4;
const TURNS = 12;
const TALK =
  'we look at the next step and talk about what it may need later on while nobody has to hurry because the rest is calm and the others wait with us for a good moment to begin'.split(
    ' ',
  );

/** The same talk each time: nothing in it is a name, a number or a rule. */
function talk(seed: number): string {
  let at = seed * 2_654_435_761;
  const word = () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return TALK[at % TALK.length];
  };
  const sentence = () => `So ${Array.from({ length: 14 }, word).join(' ')}.`;
  return Array.from({ length: 14 }, sentence).join(' ');
}

function conversation() {
  const facts: PlantedFact[] = [];
  const said: { role: MessageRole; text: string }[] = [
    { role: 'user', text: `For now the nightly copy goes to ${STALE}.` },
    { role: 'assistant', text: talk(0) },
  ];
  for (let turn = 1; turn < PARTS * TURNS; turn++) {
    const planted = turn % 3 === 1 ? PLANTED[(turn - 1) / 3] : undefined;
    if (planted) {
      const [kind, , value, question] = planted;
      facts.push({ kind, value, question, at: said.length });
    }
    said.push(
      { role: 'user', text: planted ? planted[1] : 'And what do we do then?' },
      { role: 'assistant', text: talk(turn) },
    );
  }
  const parts = Array.from({ length: PARTS }, (_, part) => said.slice(part * TURNS * 2, (part + 1) * TURNS * 2));
  return { parts, facts };
}

async function run(strategy: 'extract' | 'summarize'): Promise<RunReport> {
  const profile = new TempProfile();
  try {
    return await runFidelity(profile, {
      ...conversation(),
      newest: 'What was it  again,\tword for word?',
      strategy,
      window: 8_192,
      pinEach: 1_000,
    });
  } finally {
    profile.remove();
  }
}

describe.each(['extract', 'summarize'] as const)('S35 after compressions by %s', (strategy) => {
  test('every rule, correction and exact string that was planted is in the view or found by recall', async () => {
    const { facts } = conversation();
    const report = await run(strategy);
    expect(facts).toHaveLength(PLANTED.length);
    expect(report.compressions.map(({ outcome }) => JSON.parse(outcome).kind)).toEqual(
      Array(PARTS - 1).fill('committed'),
    );
    expect(report.cutoff).toBeGreaterThan(facts.at(-1)?.at ?? Number.POSITIVE_INFINITY);
    const lost = facts.filter(({ value }, index) => !report.view.includes(value) && !report.recalled[index]);
    expect(lost).toEqual([]);
    expect(facts.filter((_, index) => !report.originals[index])).toEqual([]);
    // what binds is not left to a search
    const standing = facts.filter(({ kind }) => kind === 'rule' || kind === 'correction');
    expect(standing.filter(({ value }) => !report.view.includes(value))).toEqual([]);
    expect(report.kept.filter((text) => text === STALE)).toEqual([]);
    expect(report.newestWhole).toBe(true);
  });
});
