/** What kind of sentence it is. The marks decide cheaply whether a pattern is worth running. Pure. */
import { MARK } from './marks';
import type { Sentence } from './scan';

/** Longest sentence that is kept whole as a rule or a correction, in characters. */
const LONGEST_CUE = 280;

/** An order: it begins a sentence or a clause, or says who must or may not. */
const RULE: readonly RegExp[] = [
  /(?:^|[,;:–—-]\s|\b(?:please|and|but|so|also|bitte|und|aber|also)\s)(?:please\s+)?(?:never|always|only|do not|don['’]t|under no circumstances|at no time|make sure|ensure|remember to|be sure to|avoid|without exception|nie(?:mals)?|immer|nur|stets|unter keinen umständen|auf keinen fall|keinesfalls|ausschließlich|unbedingt)\b/i,
  /\b(?:must|shall|should|may|can|has to|have to|needs? to|is|are)\s+(?:never|always|only|not be|under no)\b/i,
  /\b(?:must(?:\s+not|n['’]t)?|shall(?:\s+not)?|may not|cannot|is not allowed|are not allowed|is forbidden|not permitted|has to be|have to be|needs? to stay|no .{1,40} allowed)\b/i,
  /\b(?:darf|dürfen|darfst|dürft)\s.{0,60}?\b(?:nicht|nie(?:mals)?|nur|kein\w*|keinesfalls)\b/i,
  /\b(?:muss|müssen|musst|müsst|soll(?:en|st)?)\s.{0,80}?\b(?:immer|nie(?:mals)?|stets|nur|bleiben|sein|werden|unbedingt|zuerst|vorher)\b/i,
  /\b(?:unter keinen umständen|auf keinen fall|keinesfalls|niemals)\b/i,
  /^(?:no|keine?n?) \p{L}+/iu,
  /\bwe\s+(?:never|always|only)\b|\bwir\s+\S+\s+(?:\S+\s+){0,3}(?:nie|immer|nur|stets)\b/i,
  /绝不|绝对不|不要|(?<![我它他她还都])不能|不得|不许|不可|切勿|请勿|必须|务必|(?<![我它他她])总是|始终|永远|只能|只用|只允许|禁止|严禁|一律|(?:^|[，,；。])(?:请)?别/,
];
/** The same words where they order nothing. */
const NO_RULE =
  /\b(?:never mind|no (?:idea|problem|worries|need|doubt|luck|wonder|way|one|more|longer)|keine? (?:ahnung|sorge|frage|zeit|lust|problem|idee)|not only|don['’]t (?:know|understand|think|see|get|worry|mind|care|remember)|do not (?:know|understand|think|see)|(?:i|he|she|it|they|this|that|there)(?:['’](?:ve|s|d))?\s+(?:have\s+|has\s+|had\s+)?(?:never|always|only|must have)|can['’]t seem|immer noch|noch immer|nur noch|nicht nur|weiß nicht|verstehe nicht|(?:ich|er|sie|es|das|man)\s+\w+\s+(?:immer|nie))\b|不知道|不明白|是不是|要不要|能不能|不能理解|不得不/gi;

const CORRECTION: readonly RegExp[] = [
  /^(?:no[,.:;–—]|correction\b|update:|actually\b|sorry[,.:]|wait[,.:]|i (?:meant|was wrong|misspoke)|my mistake|not .{1,60}? but\b|nein[,.:;–—]|korrektur\b|eigentlich\b|tatsächlich\b|moment[,.:]|ich (?:meinte|habe mich (?:\S+ )?(?:geirrt|vertan|verrechnet|verschrieben|vertippt))|doch nicht|nicht .{1,60}? sondern\b|更正|不对|抱歉|纠正|说错)/i,
  /\b(?:(?:we|i|they) changed (?:my|our|their) minds?|is (?:now|no longer)|are (?:now|no longer)|has (?:been )?(?:moved|changed|postponed)|have (?:been )?(?:moved|changed)|was (?:moved|changed|postponed)|from now on|scratch that|that was wrong|i was wrong|rather than|instead of|not .{1,40}? but|ab jetzt|ab sofort|jetzt doch|nicht mehr|wurde (?:auf|von|verschoben|geändert)|haben wir geändert|das war falsch|nicht .{1,60}?, sondern|statt)\b/i,
  /更正|不对|改成|改为|改到|改用|换成|调整为|推迟到|提前到|应该是|应为|不再是|而不是|不是.{1,30}而是|我说错|现在是/,
];

const GOAL =
  /\b(?:i want|i need|i['’]d like|we want|we need|(?:my|our|the) (?:goal|aim)|help me|help us|please|can you|could you|ich (?:möchte|will|brauche)|wir (?:wollen|brauchen|möchten)|ziel|bitte|hilf|kannst du|könntest du)\b|我想|我要|我们(?:需要|要|想)|目标|请|帮我|帮忙/i;
const DECISION =
  /\b(?:(?:we|i|they)(?:['’]ve| have)? (?:decided|agreed|chose|chosen|settled|picked)|(?:was|is|been) (?:decided|agreed|settled|chosen)|decision|decided|agreed|settled on|we(?:['’]ll| will) (?:use|go|take|keep|stay|do|switch)|let['’]s (?:use|go|take|keep|do|stick)|going with|go with|entschieden|entscheidung|beschlossen|abgemacht|vereinbart|geeinigt|festgelegt|wir (?:nehmen|nutzen|verwenden|bleiben))\b|决定|选定|确定用|敲定|商定|(?:我们|咱们|就)[^，。]{0,8}(?:采用|选择|使用)/i;
const OPEN =
  /\b(?:todo|to do(?=[:：])|open (?:question|point|issue)|not yet|still (?:open|missing|to do|need|needs|pending|unclear|undecided)|unclear|undecided|remains? (?:open|to be)|(?:is|are|still) pending|noch (?:offen|nicht|unklar|zu klären|ausstehend)|offene[rn]? (?:frage|punkt)|unklar|steht noch aus|fehlt noch)\b|待办|待定|尚未|还没|还未|未决|有待/i;
const STATE =
  /\b(?:(?:is|are|was|were|all|now|have|has|been) (?:now )?(?:done|finished|fixed|deployed|released|merged|through|installed|complete[d]?|running|in place)|works? now|now works?|implemented|passed|fertig|erledigt|läuft (?:jetzt|wieder|nun)|behoben|abgeschlossen|umgesetzt|installiert|funktioniert (?:jetzt|wieder|nun))\b|完成|已经|修复|搞定|上线了/i;
const FAILURE =
  /\b(?:(?:did|does|do) not (?:work|help)|(?:didn|doesn|don)['’]t (?:work|help)|(?:tried|attempt(?:ed)?)\b.{0,80}\b(?:but|without|in vain|failed|no luck)|failed|fails|no luck|in vain|unsuccessful|crashed|abandoned|funktionier(?:t|te) (?:auch )?nicht|hat (?:auch )?nicht (?:funktioniert|geholfen)|(?:nichts|nicht) (?:gebracht|geholfen)|brachte nichts|hilft nicht|gescheitert|fehlgeschlagen|vergeblich|verworfen)\b|失败|没有?用|无效|不管用|行不通|没有?效果/i;
const short = (sentence: Sentence) => sentence.text.length <= LONGEST_CUE && (sentence.marks & MARK.code) === 0;

/** For what the user typed: an order that holds until it is taken back. */
export function isRule(sentence: Sentence): boolean {
  const { text, marks } = sentence;
  if ((marks & MARK.rule) === 0 || (marks & MARK.question) !== 0 || !short(sentence)) return false;
  const rest = text.replace(NO_RULE, ' ');
  return RULE.some((pattern) => pattern.test(rest));
}
/** For what the user typed: it replaces something said before. */
export function isCorrection(sentence: Sentence): boolean {
  const { text, marks } = sentence;
  if ((marks & MARK.correction) === 0 || (marks & MARK.question) !== 0 || !short(sentence)) return false;
  return CORRECTION.some((pattern) => pattern.test(text));
}
export const isGoal = ({ text, marks }: Sentence) => (marks & MARK.goal) !== 0 && GOAL.test(text);
export const isDecision = ({ text, marks }: Sentence) =>
  (marks & MARK.decision) !== 0 && (marks & MARK.question) === 0 && DECISION.test(text);
export const isOpen = ({ text, marks }: Sentence) => (marks & MARK.open) !== 0 && OPEN.test(text);
export const isState = ({ text, marks }: Sentence) =>
  (marks & MARK.state) !== 0 && (marks & MARK.question) === 0 && STATE.test(text);
export const isFailure = ({ text, marks }: Sentence) =>
  (marks & MARK.failure) !== 0 && (marks & MARK.question) === 0 && FAILURE.test(text);
