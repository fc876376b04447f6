import { expect, it } from 'vitest';
import { hasMath, prepareMath } from './prepare-math';

it.each([
  ['between $5 and $10 a month', false],
  ['it costs $5', false],
  ['`$HOME` and `$PATH`', false],
  ['```sh\necho $A $B\n```', false],
  ['a rate of $w$ and $a$', true],
  ['so $x = 1$, at $5', true],
  ['$$\nx\n$$', true],
  ['\\(a + b\\) is', true],
  ['\\[a + b\\]', true],
])('finds in %j math: %s', (text, math) => {
  expect(hasMath(prepareMath(text))).toBe(math);
});

it('makes the other way of writing math into dollars', () => {
  expect(prepareMath('\\(a\\) and \\[b\\]')).toBe('$a$ and $$\nb\n$$');
});

it('leaves code as it is', () => {
  const code = 'say `\\(a\\) $1`';
  expect(prepareMath(code)).toBe(code);
});
