import { describe, expect, test } from 'vitest';
import { TOOL_LIMITS } from '../../tool-protocol';
import { cleanEnvironment } from './clean-environment';
import { LineSplitter } from './line-splitter';
import { maskFor } from './mask';
import { fingerprintOf, usableTools } from './tool-list';

const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };
const tool = (name: string, more: object = {}) => ({ name, description: 'x', inputSchema: schema, ...more });

describe('what can be offered of a list', () => {
  test('stands in one order, whichever the server lists it in, and has one fingerprint however its schema is written', () => {
    const turned = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' };
    const { tools } = usableTools([tool('b'), tool('a', { inputSchema: turned })]);
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(fingerprintOf({ name: 'a', description: 'x', schema })).toBe(tools[0]?.fingerprint);
  });

  test('any change of name, description or schema is another fingerprint', () => {
    const [one] = usableTools([tool('a')]).tools;
    const others = [tool('A'), tool('a', { description: 'y' }), tool('a', { inputSchema: { type: 'object' } })];
    for (const other of others) expect(usableTools([other]).tools[0]?.fingerprint).not.toBe(one?.fingerprint);
  });

  test('is bounded in number and size, and what is over is named', () => {
    const many = Array.from({ length: TOOL_LIMITS.tools + 2 }, (_, i) => tool(`t${i}`));
    const { tools, leftOut } = usableTools(many);
    expect(tools).toHaveLength(TOOL_LIMITS.tools);
    expect(leftOut.map(({ why }) => why)).toEqual(['too-many', 'too-many']);
    const fat = { type: 'object', description: 'x'.repeat(60_000) };
    const listed = usableTools(Array.from({ length: 20 }, (_, i) => tool(`t${i}`, { inputSchema: fat }))).tools;
    expect(JSON.stringify(listed).length).toBeLessThan(TOOL_LIMITS.listBytes + 10_000);
  });

  test.each([
    [{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }, true],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { enum: [1] } } }, true],
    [{ type: 'object', additionalProperties: false, required: ['a'] }, true],
    [{ type: 'object', properties: [] }, false],
    [{ type: 'object', required: 'a' }, false],
    [{ type: 'object', properties: { a: { enum: [] } } }, false],
    [{ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }, false],
    [{ type: 'object', properties: { a: { items: 7 } } }, false],
    [{ type: 'array' }, false],
    [null, false],
  ])('a schema is one, or it is left out: %j', (inputSchema, fits) => {
    expect(usableTools([tool('a', { inputSchema })]).tools).toHaveLength(fits ? 1 : 0);
  });

  test.each(['a\u202eb', 'a\u2066b', 'a\u200bb', 'a\u00adb', 'a\u009fb', 'a\nb', ' '])(
    'a tool with a name that hides something is left out, and no other one: %j',
    (name) => {
      const { tools, leftOut } = usableTools([tool(name), tool('ok'), tool('größe 2')]);
      expect(tools.map((one) => one.name)).toEqual(['größe 2', 'ok']);
      expect(leftOut).toHaveLength(1);
      expect(leftOut[0]?.why).toBe('name');
      expect(leftOut[0]?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    },
  );

  test('a schema without a bottom is left out', () => {
    let deep: object = { type: 'string' };
    for (let i = 0; i < 5_000; i++) deep = { type: 'object', properties: { a: deep } };
    expect(usableTools([tool('a', { inputSchema: deep })])).toMatchObject({ tools: [], leftOut: [{ why: 'schema' }] });
  });
});

test('a server’s environment holds the usual few, and over them what was entered for it', () => {
  const own = { PATH: '/bin', HOME: '/home/u', AWS_SECRET: 'x', NODE_OPTIONS: '-r x', SHELL: '() { :; }' };
  expect(cleanEnvironment(own, 'linux', { TOKEN: 't', HOME: '/elsewhere' })).toEqual({
    PATH: '/bin',
    HOME: '/elsewhere',
    TOKEN: 't',
  });
  expect(cleanEnvironment({ Path: 'C:\\', SystemRoot: 'C:\\W', SECRET: 'x' }, 'win32', { PATH: 'D:\\' })).toEqual({
    SystemRoot: 'C:\\W',
    PATH: 'D:\\',
  });
});

test('what was entered is masked wherever it stands, the longer of two first', () => {
  const mask = maskFor(['abcdef', 'abcdefgh', 'short', null]);
  expect(mask('abcdefgh abcdef short')).toBe('••• ••• short');
});

test('lines are joined over pieces and cut nowhere else; one that is too long is told before it is whole', () => {
  const lines = new LineSplitter(10);
  expect(lines.take(Buffer.from('one\r\ntw'))).toEqual({ lines: ['one'], over: false });
  expect(lines.take(Buffer.from('o\n\nthree'))).toEqual({ lines: ['two', ''], over: false });
  expect(lines.take(Buffer.from('456789'))).toEqual({ lines: [], over: true });
});
