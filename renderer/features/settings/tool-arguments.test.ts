import { expect, it } from 'vitest';
import { argumentsIn, isOneForMany, typedArguments } from './tool-arguments';

it.each([
  ['-y\na package\n', ['-y', 'a package']],
  ['["-y", "a package"]', ['-y', 'a package']],
  ['[\n  "-y",\n  "two\\nlines",\n  ""\n]\n', ['-y', 'two\nlines', '']],
  ['[]', []],
  ['[1]', ['[1]']],
  ['["-y",', ['["-y",']],
  ['', []],
])('arguments are lines, or all of them a JSON array: %j', (typed, args) => {
  expect(argumentsIn(typed)).toEqual(args);
});

it.each([[['-y', 'pkg']], [['two\nlines']], [['']], [['["a"]']], [[]]])(
  'what is typed for arguments is read as the same again: %j',
  (args) => {
    expect(argumentsIn(typedArguments(args))).toEqual(args);
  },
);

it('several in one line are told from one', () => {
  expect(['-y pkg', ' --dir /tmp'].map(isOneForMany)).toEqual([true, true]);
  expect(['-y\npkg', '["-y pkg"]', 'a package', '-y', '-y ', ''].map(isOneForMany)).toEqual(Array(6).fill(false));
});
