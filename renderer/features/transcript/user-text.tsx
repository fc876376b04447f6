import { CodeBlock } from '../../components/markdown/code-block';

const FENCE = /^(```|~~~)([^\n`]*)\n([\s\S]*?)\n?^\1[ \t]*$/m;

/** What the user typed, as it was typed: only code is set apart, everything else keeps its characters and lines. */
export function UserText({ text }: { readonly text: string }) {
  return parts(text).map((part, at) =>
    part.code === null ? (
      // The text of a user message never changes, so a place is an identity.
      <p key={at}>{inline(part.text)}</p>
    ) : (
      <CodeBlock key={at} language={part.code === '' ? null : part.code} text={part.text}>
        <code>{part.text}</code>
      </CodeBlock>
    ),
  );
}

interface Part {
  /** The fence's tag; null = words. */
  readonly code: string | null;
  readonly text: string;
}

function parts(text: string): Part[] {
  const found: Part[] = [];
  let rest = text;
  for (let fence = FENCE.exec(rest); fence; fence = FENCE.exec(rest)) {
    const before = rest.slice(0, fence.index).replace(/\n$/, '');
    if (before.trim() !== '') found.push({ code: null, text: before });
    found.push({ code: (fence[2] ?? '').trim().split(/\s/)[0] ?? '', text: fence[3] ?? '' });
    rest = rest.slice(fence.index + fence[0].length).replace(/^\n/, '');
  }
  if (rest.trim() !== '') found.push({ code: null, text: rest });
  return found;
}

function inline(text: string) {
  return text
    .split(/(`[^`\n]+`)/)
    .map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece.slice(1, -1)}</code> : piece));
}
