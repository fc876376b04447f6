// English prose with facts in it. Each template holds its value word for word.
const SUBJECTS =
  'nightly backup|invoice export|search index|image resizer|login page|payment queue|customer import|mail gateway|audit report|staging cluster|license server|training data|garden irrigation|apartment lease|conference talk|thesis chapter|train journey|kitchen renovation|podcast episode|language course|marathon plan|insurance claim|museum visit|choir rehearsal'.split(
    '|',
  );
const CHOICES =
  'weekly snapshots|a shared calendar|plain text files|the smaller supplier|manual approval|a rotating schedule|the night train|two separate teams|paper forms|the older template|a single spreadsheet|rented tools|the public library|daily summaries|a fixed price|open seating|the side entrance|printed maps|three short sessions|an external reviewer'.split(
    '|',
  );
const FIRST = 'Priya|Tomas|Ingrid|Samuel|Aisha|Viktor|Noor|Callum|Elena|Mateo'.split('|');
const LAST = 'Raman|Okafor|Lindqvist|Brennan|Haddad|Novak|Petersen|Castillo|Whitlock|Mbeki'.split('|');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const SLUGS = 'orders|ledger|mirror|harvest|atlas|beacon|cobalt|delta|ember|falcon|granite|hazel'.split('|');

export const english = {
  name: 'English',
  subjects: SUBJECTS,
  values: {
    number: (dice, n) =>
      dice.pick([
        `${n} minutes`,
        `${n} GB`,
        `$${1 + (n % 9)},${String(100 + n).slice(-3)}`,
        `${n % 100}.${1 + (n % 9)} %`,
        `${n} seats`,
        `${n} ms`,
        `${n} requests`,
        `${n} km`,
      ]),
    date: (dice, n) =>
      dice.pick([
        `${MONTHS[n % 12]} ${1 + (n % 28)}, 2027`,
        `2027-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
        `${1 + (n % 28)} ${MONTHS[(n * 5) % 12]}`,
        `${String(6 + (n % 14)).padStart(2, '0')}:${String((n * 7) % 60).padStart(2, '0')}`,
      ]),
    path: (dice, n) =>
      dice.pick([
        `/srv/${dice.pick(SLUGS)}/${dice.pick(SLUGS)}-${n}.yaml`,
        `C:\\Data\\${dice.pick(SLUGS)}\\run${n}.csv`,
        `src/${dice.pick(SLUGS)}/step${n}.ts`,
        `https://intranet.example.org/${dice.pick(SLUGS)}/${n}`,
        `~/notes/${dice.pick(SLUGS)}-${n}.md`,
      ]),
    identifier: (dice, n) =>
      dice.pick([
        `OPS-${1000 + n}`,
        `${dice.pick(SLUGS)}-${dice.pick(SLUGS)}-${n}`,
        `v${1 + (n % 7)}.${n}.${n % 10}`,
        (0xa3f1000 + n * 7919).toString(16),
        `max_${dice.pick(SLUGS)}_${n}`,
        `${dice.pick(SLUGS)}Retry${n}`,
      ]),
    name: (_dice, n) => `${FIRST[n % 10]} ${LAST[Math.floor(n / 10) % 10]}`,
    decision: (_dice, n) => CHOICES[n % CHOICES.length],
    failure: (_dice, n) => CHOICES[(n + 7) % CHOICES.length],
  },
  sentences: {
    number: [
      (s, v) => `By our last measurement the ${s} needs ${v}.`,
      (s, v) => `For the ${s} we should plan with ${v}, no more.`,
      (s, v) => `I checked the ${s} again, and it came out at ${v}.`,
      (s, v) => `The limit for the ${s} is ${v}.`,
    ],
    date: [
      (s, v) => `The ${s} is due on ${v}.`,
      (s, v) => `Everybody agreed that ${v} suits the ${s} best.`,
      (s, v) => `We look at the ${s} again on ${v}, with coffee.`,
    ],
    path: [
      (s, v) => `The notes on the ${s} are in ${v} if you need them.`,
      (s, v) => `Everything about the ${s} ends up in ${v}.`,
      (s, v) => `See ${v} for the ${s}.`,
    ],
    identifier: [
      (s, v) => `The ${s} is tracked as ${v}.`,
      (s, v) => `Look for ${v} when you work on the ${s}.`,
      (s, v) => `What broke the ${s} last time was ${v}.`,
    ],
    name: [
      (s, v) => `The person to ask about the ${s} is ${v}.`,
      (s, v) => `Since last week ${s === '' ? '' : `the ${s}`} belongs to ${v}.`,
      (s, v) => `Please keep ${v} informed about the ${s}.`,
    ],
    decision: [
      (s, v) => `We decided on ${v} for the ${s}.`,
      (s, v) => `For the ${s} we will go with ${v}.`,
      (s, v) => `It was agreed that the ${s} gets ${v}.`,
    ],
    failure: [
      (s, v) => `We tried ${v} for the ${s}, but it did not work.`,
      (s, v) => `With ${v} the ${s} failed twice.`,
      (s, v) => `For the ${s}, ${v} didn't help at all.`,
    ],
    rule: [
      (s) => `Never change the ${s} without telling me first.`,
      (s) => `Always keep a copy of the ${s}.`,
      (s) => `The ${s} must not be mentioned to outsiders.`,
      (s) => `Please don't shorten anything about the ${s}.`,
      (s) => `Only work on the ${s} in the morning.`,
    ],
    before: [(s, v) => `The ${s} takes ${v}.`, (s, v) => `For the ${s} we count on ${v}.`],
    after: [
      (s, v) => `Actually the ${s} takes ${v}.`,
      (s, v, old) => `Correction: for the ${s} we count on ${v}, not ${old}.`,
      (s, v, old) => `No, the ${s} takes ${v} instead of ${old}.`,
    ],
  },
  questions: {
    number: (s) => `What number did we note for the ${s}?`,
    date: (s) => `When is the ${s} planned?`,
    path: (s) => `Where do I find everything about the ${s}?`,
    identifier: (s) => `What do I have to look for with the ${s}?`,
    name: (s) => `Who takes care of the ${s}?`,
    decision: (s) => `What did we decide for the ${s}?`,
    failure: (s) => `What have we tried in vain for the ${s}?`,
    rule: (s) => `What must I keep in mind about the ${s}?`,
    correction: (s) => `How long does the ${s} take?`,
  },
  changing: (dice, n) => [`${n} days`, `${n + dice.between(3, 9)} days`],
  filler: [
    (s) => `I have been thinking about the ${s} for a while now.`,
    (s) => `How would you go on with the ${s}?`,
    (s) => `That sounds reasonable, and the ${s} would gain from it as well.`,
    (s, t) => `The ${s} and the ${t} hang together more than one would think.`,
    (s) => `There are several ways to look at the ${s}, and none of them is wrong.`,
    (s) => `Could you write a few lines about the ${s} for the others?`,
    (s) => `In short, the ${s} is in good hands, and the rest can wait.`,
    (s, t) => `Before we turn to the ${s}, a word about the ${t}.`,
    (s) => `People usually start with the ${s} because it is the easy part.`,
    (s) => `One more thought on the ${s}: small steps are better than big plans.`,
    (s, t) => `If the ${s} gets in the way of the ${t}, we can swap them.`,
    () => 'Let me sum up what we have so far and then look at the next step.',
    () => 'Thanks, that helps a lot.',
    (s) => `The others liked the way you described the ${s}.`,
  ],
};
