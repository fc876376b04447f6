/** Small exact strings of a sentence: addresses, paths, dates, identifiers, numbers with units, names. Pure. */
import { MARK } from './marks';
import { type Sentence, scan } from './scan';

export type ExactKind = 'url' | 'path' | 'date' | 'identifier' | 'number' | 'name';

export interface ExactString {
  readonly kind: ExactKind;
  /** Word for word as it stands in the message. */
  readonly text: string;
}

/** Longest exact string in characters. */
const LONGEST = 160;

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez';
const DAYS =
  'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag';
const CLOCK = String.raw`(?<![\d.:])(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?!\d)(?:\s?[ap]m\b)?(?:\s?Uhr\b)?`;

/** Words after a number that are no unit. */
const NO_UNIT =
  'and|or|of|in|to|is|are|was|were|the|that|this|from|at|by|for|with|on|as|if|not|but|then|than|it|which|und|oder|im|am|an|der|die|das|den|dem|des|ist|sind|war|bis|von|vom|für|mit|auf|zu|zum|als|aus|bei|nicht|aber|dann|wenn|nach|vor|statt|instead|rather|now|so';
/** Capitalized words before a number that are not what the number belongs to. */
const NO_PRODUCT =
  'The|This|That|These|For|And|But|With|From|After|Before|About|Only|Since|Until|Over|Under|Around|Nearly|Almost|Some|All|Our|Your|Then|When|There|Here|Der|Die|Das|Den|Dem|Nach|Seit|Bei|Vor|Etwa|Rund|Unter|Und|Aber|Auch|Noch|Mit|Von|Bis|Wir|Sie|Alle|Etwas';
/** Signs and short forms that may stand right behind the digits. */
const SIGNS =
  'ms|µs|ns|s|sec|min|h|hrs?|%|‰|[kKMGTP]i?B|[kMGT]?bit(?:/s)?|[kMG]B/s|[kMG]?Hz|km/h|km|cm|mm|m²|m|kg|mg|g|°C|°F|[kMm]?W|[kM]?Wh|[km]?V|m?A|[mcd]?l|px|pt|x|k|€|EUR|USD|CHF|GBP|\\$|£|¥|Mio\\.?|Mrd\\.?|Uhr';
const HAN_UNITS =
  '[万亿千百]?(?:个(?:月|小时|星期)?|天|小时|分钟|秒|毫秒|年|月|日|周|星期|点|元|美元|欧元|块|台|件|次|人|份|页|行|条|名|位|层|楼|公里|千米|厘米|毫米|米|公斤|千克|克|吨|升|度|号|倍|兆|字节|岁|本|张|套|间|节|章)|[万亿]';

const SPELLED_UNITS =
  '(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|dollars?|euros?|(?:Milli)?[Ss]ekunden?|Minuten?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?|Prozent';
const MEASURE = new RegExp(`^[$€£¥]|\\d\\s?(?:${SIGNS}|${SPELLED_UNITS}|${HAN_UNITS})$`);

/** A number with a unit of measure or money; a number of things is none. */
export const isMeasure = ({ kind, text }: ExactString): boolean => kind === 'number' && MEASURE.test(text);

interface Pattern {
  readonly kind: ExactKind;
  /** Bits of which one must be set for the pattern to be tried. */
  readonly needs: number;
  readonly pattern: RegExp;
}

/** In this order: what an earlier pattern took, a later one does not cut into. */
const PATTERNS: readonly Pattern[] = [
  { kind: 'identifier', needs: MARK.tick, pattern: /`[^`\n]{2,80}`/g },
  {
    kind: 'url',
    needs: MARK.slash,
    pattern:
      /\b(?:https?|ftp|ssh|wss?|postgres(?:ql)?|redis|s3):\/\/[^\s<>"'`)\]，。；、]+[^\s<>"'`)\].,;:!?，。；、]/g,
  },
  { kind: 'identifier', needs: MARK.slash, pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w/])@[\w-]+\/[\w.-]+/g },
  {
    kind: 'path',
    needs: MARK.slash,
    pattern:
      /(?<![\w/.])(?:~|\.{1,2})?(?:\/[\w@.+-]*[\w+-]){2,}\/?|(?<![\w/.])(?:~|\.{1,2})\/[\w@.+-]*[\w+-]|\b[A-Za-z]:\\(?:[\w.-]+\\?)+|\\\\[\w.-]+(?:\\[\w.$-]+)+|(?<![\w/.])[\w.-]*\w(?:\/[\w.-]+)+\.[A-Za-z]{1,6}\b|(?<![\w/.])(?:[\w.-]*\w\/){2,}[\w.-]*\w\b/g,
  },
  {
    kind: 'date',
    needs: MARK.digit,
    pattern: new RegExp(
      String.raw`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b|(?<![\d.])(?:0?[1-9]|[12]\d|3[01])\.\s?(?:0?[1-9]|1[0-2])\.(?:\s?\d{4}\b|\d{2}\b(?!\.)|(?!\d))|` +
        String.raw`\b\d{1,2}(?:\.|st|nd|rd|th)? (?:of )?(?:${MONTHS})\b(?:\.?,? \d{4}\b)?|\b(?:${MONTHS})\b\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?|\b(?:${MONTHS}) \d{4}\b|` +
        String.raw`(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号])?|\d{4}年(?:第?[一二三四1-4]季度)?|(?:[上下]午|晚上|凌晨|中午)?\d{1,2}点(?:半|\d{1,2}分)?|\bQ[1-4](?: |/)?\d{4}\b|\bKW ?\d{1,2}\b|` +
        String.raw`${CLOCK}(?: ?[–-] ?${CLOCK}| to ${CLOCK}| bis ${CLOCK})?|\b\d{1,2} (?:a\.?m\b|p\.?m\b|Uhr\b)`,
      'g',
    ),
  },
  { kind: 'date', needs: MARK.calendar, pattern: new RegExp(String.raw`\b(?:${DAYS})s?\b`, 'g') },
  { kind: 'date', needs: MARK.cjk, pattern: /(?:下|上|这|本|每)?(?:周|星期|礼拜)[一二三四五六日天]/g },
  {
    kind: 'identifier',
    needs: MARK.mixed | MARK.underscore | MARK.camel,
    pattern:
      /(?<![\w-])--[a-z][\w-]+(?:=[\w./-]+)?|\b[a-z][\w-]*(?:[./][\w-]+)*:\d+[a-z][\w.-]*\w|\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+(?:-[A-Za-z0-9]+)*\b|\b\w+(?:\.\w+)*_\w+(?:\.\w+)*\b(?:\(\))?|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b(?:\(\))?|\bv\d+(?:\.\d+)+(?:-[\w.]*\w)?\b|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+|\/\d+)?(?!\d|\.\d)|\b\d+\.\d+(?:\.\d+)+(?:[-+][\w.]*\w)?\b|\bv\d+\b|\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b(?:-[0-9a-f]{4,12}\b)*|\b[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*-\d[a-z0-9]*(?:[-.][a-z0-9]+)*\b|#\d+\b|\b[A-Z]{1,5}\d+[A-Z0-9]*\b(?:-\w+)?|\b[a-z]+\d+[a-z0-9]*(?:[-.][a-z0-9]+)+\b/g,
  },
  { kind: 'name', needs: MARK.camel, pattern: /\b(?:[A-Z][a-z0-9]+){2,}\b/g }, // a class or a brand
  {
    kind: 'identifier',
    needs: MARK.dotted,
    pattern:
      /\b[\w-]+\.(?:tsx?|jsx?|mjs|cjs|json|ya?ml|toml|py|rs|go|java|kt|cs|cpp|hpp|sh|sql|md|txt|csv|xlsx?|docx?|pptx?|pdf|png|jpe?g|svg|zip|tar\.gz|log|conf|cfg|ini|env|lock|html?|css|xml|db|gguf)\b|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|de|cn|eu|internal|local|example|invalid|test)\b(?::\d+)?/g,
  },
  {
    kind: 'number',
    needs: MARK.digit,
    pattern: new RegExp(
      String.raw`[$€£¥]\s?\d[\d.,]*\d(?:[kKmM]\b)?|[$€£¥]\s?\d\b|\b(?:CHF|EUR|USD|GBP) \d[\d.,']*\d|` +
        String.raw`(?<![\w.,])[-+]?\d+(?:[.,'’\u202f]\d+)*(?:\s?[–-]\s?\d+(?:[.,]\d+)*)?(?:\s?(?:${SIGNS})(?![A-Za-zäöüß])|\s?(?:${HAN_UNITS})|(?:[ -])(?!(?:${NO_UNIT})\b)[A-Za-zäöüÄÖÜß]{2,}(?:-[a-z]+)?)|` +
        String.raw`\b(?:port|line|page|room|version|chapter|section|seat|gate|flight|step|building|level|stage|phase) \d+(?:\.\d+)*\b|\b(?!(?:${NO_PRODUCT}|${MONTHS})\b)[A-ZÄÖÜ][A-Za-zäöüß.+#]{2,} \d+(?:\.\d+)*\+?(?![\w.,]*\d)(?!\s?(?:${SIGNS})(?![A-Za-z]))(?! (?!(?:${NO_UNIT})\b)[A-Za-zäöüÄÖÜß]{2,})|第\d+[章页行节条层版]|(?:端口|房间|版本|工号|编号)\s?\d+|` +
        String.raw`(?<![\w.,-])\d{3,}(?:[.,]\d+)*(?![\w-])`,
      'g',
    ),
  },
  {
    kind: 'name',
    needs: MARK.name,
    pattern:
      /\b(?:(?:Dr|Prof|Mrs?|Ms)\.? |(?:Herrn?|Frau) )(?:(?:Dr|Prof)\. )?[A-ZÄÖÜ][\p{Ll}]+(?:[- ][A-ZÄÖÜ][\p{Ll}]+){0,2}|(?<=[\p{Ll},;:] )[A-ZÄÖÜ][\p{Ll}]{2,}(?:[- ][A-ZÄÖÜ][\p{Ll}]{2,}){1,2}(?![\p{L}])/gu,
  },
  {
    kind: 'name',
    needs: MARK.cjk,
    pattern:
      /(?<=(?:联系人|负责人|经理|同事|客户|作者|老板|医生|组长|主管|名字|姓名)(?:是|为|叫|：|:|改为|换成|改成))[\u4e00-\u9fff]{2,3}(?=[，。；、！\s]|$|负责|来|说|处理)|(?<=[由找给跟和与问，。、：叫是])[\u4e00-\u9fff]{1,3}(?:先生|女士|老师|经理|博士|教授|工程师|主任|医生)|(?<=[由找给跟和与问叫是向请让]|联系|通知)[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤][\u4e00-\u9fff]{1,2}(?=负责|处理|确认|审|说|来|会|就|去|的|签|，|。|；|、|！|\s|$)|[《「『“"][^《》「」『』“”"\n]{2,24}[》」』”"]/g,
  },
];

/** Exact strings of one sentence. What an earlier kind took is not found again inside it. */
export function exactStrings({ text, marks }: Sentence): ExactString[] {
  const found: ExactString[] = [];
  let rest = text;
  for (const { kind, needs, pattern } of PATTERNS) {
    if ((marks & needs) === 0) continue;
    pattern.lastIndex = 0;
    let left = '';
    let from = 0;
    for (let hit = pattern.exec(rest); hit; hit = pattern.exec(rest)) {
      // from the sentence itself: a hit may span what an earlier pattern took
      const exact = text
        .slice(hit.index, hit.index + hit[0].length)
        .replace(/^[`《「『“"]|[`》」』”"]$/g, '')
        .trim();
      if (exact.length > 1 && exact.length <= LONGEST) found.push({ kind: kindOf(kind, hit[0]), text: exact });
      left += `${rest.slice(from, hit.index)}${' '.repeat(hit[0].length)}`;
      from = hit.index + hit[0].length;
    }
    rest = left + rest.slice(from);
  }
  return found;
}

/** A plain word in backticks is a word like any other, but meant exactly. */
const kindOf = (kind: ExactKind, hit: string): ExactKind => (/^`\p{L}+`$/u.test(hit) ? 'name' : kind);

/** Exact strings of a text of any length. */
export function tokensIn(text: string): ExactString[] {
  return scan(text).flatMap(exactStrings);
}

const WORDLIKE = /[\p{L}\p{N}_]/u;

/** Where the string stands in the text by itself: not 3 days inside 13 days. -1 = nowhere. */
export function indexOfExact(text: string, exact: string): number {
  for (let at = text.indexOf(exact); at >= 0; at = text.indexOf(exact, at + 1)) {
    const after = text.charAt(at + exact.length);
    if (!joined(text.charAt(at - 1), exact.charAt(0)) && !joined(exact.slice(-1), after)) return at;
  }
  return -1;
}
export const occursIn = (text: string, exact: string): boolean => indexOfExact(text, exact) >= 0;

/** Both belong to one word, in a script that sets words apart; '' = there is no character. */
const joined = (a: string, b: string) => inWord(a) && inWord(b);
const inWord = (char: string) => char.charCodeAt(0) < 0x2e80 && WORDLIKE.test(char);
