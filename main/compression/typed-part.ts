/** What a person typed, as far as the text shows it: rules and corrections are taken from here alone. Pure. */

/** A paragraph longer than this was hardly typed into a chat; in characters. */
const LONGEST_PARAGRAPH = 2_000;
/** In a message longer than this only its beginning and its end were typed: the middle was pasted. */
const LONGEST_MESSAGE = 4_000;
/** Paragraphs at the beginning, and at the end, of such a message. */
const EDGES = 2;

const FENCED = /^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm;
/** Quotes, code by indent, markup, data, logs, commands, tables. */
const NOT_TYPED =
  /^(?:\s*>|\t| {4}|\s*[<{}[\]|]|\s*(?:\d{4}-\d{2}-\d{2}|\d{2}:\d{2}:\d{2})[T ,]|\s*(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b|\s*\$ |\s*at .+[:(]\d+|\s*(?:import|from|export|const|let|var|function|def|class|return|public|private|#include)\b.*[;{(:=]\s*$)/;
/** What follows such a line is somebody else's mail. */
const MAIL =
  /^(?:From|Von|发件人|Subject|Betreff|主题)\s?[:：] .+$|^-{2,}\s?(?:Original|Forwarded|Ursprüngliche|Weitergeleitete|原始邮件|转发).*$|^(?:On|Am) .{4,80} (?:wrote|schrieb).{0,40}:$/im;
/** A line that announces what somebody or something else wrote: what follows was pasted. */
const ANNOUNCED =
  /^.{0,200}\b(?:wrote|writes|says|said|replied|log|output|error|message|mail|email|text|document|article|readme|page|transcript|snippet|paste[d]?|schrieb|schreibt|sagt|sagte|antwortete|ausgabe|meldung|nachricht|dokument|artikel|seite|eingefügt)\b[^.!?\n]{0,60}:\s*$|^.{0,120}\.(?:md|txt|log|pdf|html?|json|ya?ml|docx?|csv|eml)\b[^.!?\n]{0,20}:\s*$|^.{0,100}(?:写道|回复|如下|日志|输出|报错|邮件|文档|原文|粘贴)[^。！？\n]{0,20}[:：]\s*$/im;
/** Words in quotation marks, pair by pair. */
const QUOTED = /"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|»[^«\n]*«|「[^」\n]*」|『[^』\n]*』/g;
/** From this length on they are no longer a name. */
const LONGEST_NAME = 40;

export function typedPart(text: string): string {
  if (!MAY_HOLD_MORE.test(text) && text.length <= LONGEST_PARAGRAPH) return text;
  const fenced = text.replace(FENCED, '');
  const own = fenced.slice(0, Math.min(startOf(fenced, MAIL), endOf(fenced, ANNOUNCED)));
  const paragraphs = own
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.length <= LONGEST_PARAGRAPH)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .filter((line) => !NOT_TYPED.test(line))
        .join('\n')
        .replace(QUOTED, (quote) => (quote.length > LONGEST_NAME ? ' ' : quote)),
    )
    .filter((paragraph) => paragraph.trim() !== '');
  const kept =
    own.length > LONGEST_MESSAGE && paragraphs.length > 2 * EDGES
      ? [...paragraphs.slice(0, EDGES), ...paragraphs.slice(-EDGES)]
      : paragraphs;
  return kept.join('\n\n');
}

/** Where a mark begins, or the line that it is ends; the whole length where there is none. */
function startOf(text: string, mark: RegExp): number {
  const at = text.search(mark);
  return at < 0 ? text.length : at;
}
function endOf(text: string, mark: RegExp): number {
  const found = mark.exec(text);
  return found ? found.index + found[0].length : text.length;
}

/** Without any of these a short text was typed as a whole. */
const MAY_HOLD_MORE = /[\n\t>"“„«「『<{[|$]/;
