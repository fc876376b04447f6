// German prose with facts in it. Each template holds its value word for word.
const SUBJECTS =
  'die nächtliche Sicherung|der Rechnungsexport|der Suchindex|die Anmeldeseite|der Kundenimport|der Prüfbericht|das Testsystem|der Mietvertrag|die Gartenbewässerung|die Doktorarbeit|die Zugreise|der Küchenumbau|der Sprachkurs|der Versicherungsfall|der Konferenzvortrag|die Chorprobe|das Bewerbungsgespräch|die Steuererklärung'.split(
    '|',
  );
const CHOICES =
  'wöchentliche Abzüge|ein gemeinsamer Kalender|einfache Textdateien|der kleinere Lieferant|eine Freigabe von Hand|der Nachtzug|zwei getrennte Gruppen|die ältere Vorlage|geliehene Werkzeuge|die Stadtbücherei|ein fester Preis|freie Platzwahl|der Seiteneingang|drei kurze Sitzungen'.split(
    '|',
  );
const PEOPLE =
  'Jonas Albrecht|Frau Keller|Herr Baumann|Lena Vogt|Matthias Krüger|Frau Doktor Seidel|Sabine Hofer|Herr Yilmaz|Katrin Lorenz|Stefan Wirth|Frau Brandt|Felix Neumann'.split(
    '|',
  );
const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ');
const SLUGS = 'auftrag|bestand|nordsee|ahorn|kupfer|leuchte|mosel|kranich'.split('|');
const upper = (s) => s[0].toUpperCase() + s.slice(1);

export const german = {
  name: 'German',
  subjects: SUBJECTS,
  values: {
    number: (dice, n) =>
      dice.pick([
        `${n} Minuten`,
        `${n},${1 + (n % 9)} GB`,
        `${1 + (n % 9)}.${String(100 + n).slice(-3)} €`,
        `${n} Teilnehmer`,
        `${n} km`,
        `${n % 100} Prozent`,
        `${n} Seiten`,
      ]),
    date: (dice, n) =>
      dice.pick([
        `${1 + (n % 28)}. ${MONTHS[n % 12]} 2027`,
        `${String(1 + (n % 28)).padStart(2, '0')}.${String(1 + (n % 12)).padStart(2, '0')}.2027`,
        `${6 + (n % 14)}:${String((n * 7) % 60).padStart(2, '0')} Uhr`,
      ]),
    path: (dice, n) =>
      dice.pick([
        `/srv/${dice.pick(SLUGS)}/${dice.pick(SLUGS)}-${n}.yaml`,
        `C:\\Daten\\${dice.pick(SLUGS)}\\lauf${n}.csv`,
        `https://intranet.example.org/${dice.pick(SLUGS)}/${n}`,
        `~/notizen/${dice.pick(SLUGS)}-${n}.md`,
      ]),
    identifier: (dice, n) =>
      dice.pick([
        `AUF-${1000 + n}`,
        `${dice.pick(SLUGS)}-${dice.pick(SLUGS)}-${n}`,
        `v${1 + (n % 7)}.${n}.${n % 10}`,
        `max_${dice.pick(SLUGS)}_${n}`,
      ]),
    name: (_dice, n) => PEOPLE[n % PEOPLE.length],
    decision: (_dice, n) => CHOICES[n % CHOICES.length],
    failure: (_dice, n) => CHOICES[(n + 5) % CHOICES.length],
  },
  sentences: {
    number: [
      (s, v) => `${upper(s)} braucht nach der letzten Messung ${v}.`,
      (s, v) => `Für das, was ${s} angeht, sollten wir mit ${v} rechnen.`,
      (s, v) => `Ich habe nachgesehen: ${s} liegt bei ${v}.`,
    ],
    date: [
      (s, v) => `${upper(s)} ist für ${v} vorgesehen.`,
      (s, v) => `Alle waren sich einig, dass ${v} am besten passt, wenn ${s} an der Reihe ist.`,
      (s, v) => `Der Termin steht: ${s}, ${v}.`,
    ],
    path: [
      (s, v) => `Die Unterlagen dazu, also ${s}, liegen unter ${v}.`,
      (s, v) => `Unter ${v} steht alles, was ${s} betrifft.`,
    ],
    identifier: [(s, v) => `${upper(s)} läuft bei uns unter ${v}.`, (s, v) => `Such nach ${v}, wenn ${s} dran ist.`],
    name: [
      (s, v) => `Wer etwas wissen will: Um ${s.replace(/^der /, 'den ')} kümmert sich ${v}.`,
      (s, v) => `Zuständig ist ${v}, falls ${s} Fragen aufwirft.`,
    ],
    decision: [
      (s, v) => `Beschlossen ist, was ${s} angeht: ${v}.`,
      (s, v) => `Wir haben entschieden, dass ${s} so läuft: ${v}.`,
    ],
    failure: [
      (s, v) => `Mit diesem Versuch, also: ${v}, hat es nicht funktioniert, als ${s} dran war.`,
      (s, v) => `Versucht wurde schon: ${v}, aber ${s} ist daran gescheitert.`,
    ],
    rule: [
      (s) => `${upper(s)} darf nie ohne Rückfrage geändert werden.`,
      (s) => `Bitte immer zuerst prüfen, wie weit ${s} ist.`,
      (s) => `Niemals gegenüber Fremden erwähnen, dass es um ${s.replace(/^der /, 'den ')} geht.`,
    ],
    before: [(s, v) => `${upper(s)} dauert ${v}.`],
    after: [
      (s, v) => `Nein, ${s} dauert ${v}.`,
      (s, v, old) => `Korrektur: ${s} dauert ${v}, nicht ${old}.`,
      (s, v, old) => `${upper(s)} dauert jetzt doch ${v} statt ${old}.`,
    ],
  },
  questions: {
    number: (s) => `Welche Zahl gilt, wenn es um ${s} geht?`,
    date: (s) => `Wann ist ${s} an der Reihe?`,
    path: (s) => `Wo finde ich etwas dazu, ich meine ${s}?`,
    identifier: (s) => `Wonach muss ich suchen, wenn ${s} dran ist?`,
    name: (s) => `Wer ist zuständig, wenn ${s} Fragen aufwirft?`,
    decision: (s) => `Was wurde entschieden, was ${s} angeht?`,
    failure: (s) => `Was haben wir vergeblich versucht, als ${s} dran war?`,
    rule: (s) => `Woran muss ich denken, wenn es um ${s} geht?`,
    correction: (s) => `Wie lange dauert ${s}?`,
  },
  changing: (dice, n) => [`${n} Wochen`, `${n + dice.between(3, 9)} Wochen`],
  filler: [
    (s) => `Ich habe noch einmal darüber nachgedacht, wie ${s} weitergehen soll.`,
    (s) => `Was meinst du, wie ${s} am besten vorankommt?`,
    (s) => `Das klingt vernünftig, und ${s} hätte auch etwas davon.`,
    (s, t) => `${upper(s)} und ${t} hängen enger zusammen, als man denkt.`,
    (s) => `Man kann ${s.replace(/^der /, 'den ')} von mehreren Seiten betrachten.`,
    () => 'Kannst du dazu ein paar Zeilen für die anderen schreiben?',
    (s) => `Kurz gesagt: ${upper(s)} ist in guten Händen, der Rest kann warten.`,
    () => 'Ich fasse zusammen, was wir haben, und schaue dann auf den nächsten Schritt.',
    () => 'Danke, das hilft mir sehr.',
    (s, t) => `Bevor ${s} an die Reihe kommt, noch ein Wort dazu, was ${t} betrifft.`,
    (s) => `Kleine Schritte sind besser als große Pläne, gerade wenn ${s} ansteht.`,
  ],
};
