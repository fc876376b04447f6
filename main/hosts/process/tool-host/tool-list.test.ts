import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../lib/clock';
import { TOOL_LIMITS } from '../../tool-protocol';
import { cleanEnvironment } from './clean-environment';
import { LineSplitter } from './line-splitter';
import { maskFor } from './mask';
import { resultText } from './result-text';
import { StderrTail } from './stderr-tail';
import * as toolList from './tool-list';

const { fingerprintOf } = toolList;
const usableTools = (said: readonly unknown[], secrets: readonly string[] = []) =>
  toolList.usableTools(said, maskFor(secrets));
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

  test('a tool that is too deep to be walked is lost alone, wherever it is deep', () => {
    let deep: object = {};
    for (let i = 0; i < 20_000; i++) deep = { a: deep };
    const listed = [tool('a', { inputSchema: { ...schema, default: deep } }), { name: deep }, tool('b')];
    const { tools, leftOut } = usableTools(listed);
    expect(tools.map(({ name }) => name)).toEqual(['b']);
    expect(leftOut).toEqual([
      { name: 'a', why: 'schema' },
      { name: '', why: 'name' },
    ]);
  });

  test('holds no secret: each is masked before anything is cut or hashed, and the server’s own name is kept apart', () => {
    const secret = 'sk-live-0123456789';
    const edge = `${'x'.repeat(TOOL_LIMITS.descriptionChars - 8)}${secret}`;
    const inputSchema = { type: 'object', properties: { [secret]: { type: 'string', default: secret } } };
    const said = [tool(`of ${secret}`, { description: edge, inputSchema }), { name: `${'y'.repeat(70)}${secret}` }];
    const list = usableTools(said, [secret]);
    expect(JSON.stringify(list)).not.toContain('sk-live');
    expect(list.tools).toMatchObject([{ name: 'of •••', schema: { properties: { '•••': { default: '•••' } } } }]);
    expect(list.leftOut).toEqual([{ name: `${'y'.repeat(70)}•••`, why: 'schema' }]);
    expect(list.saidNames).toEqual(new Map([['of •••', `of ${secret}`]]));
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

test('a secret of many lines is masked line by line, and as it stands within JSON', () => {
  const key = '-----BEGIN KEY-----\n  bGluZTE=\r\nbGluZTI=\nend\n';
  const mask = maskFor([key, 'quo"ted\\one']);
  expect(mask('read bGluZTI= and bGluZTE=, not the end')).toBe('read ••• and •••, not the end');
  expect(mask(JSON.stringify({ key, other: 'quo"ted\\one' }))).toBe('{"key":"•••","other":"•••"}');
});

test('what a result says besides its text is masked before it is cut', () => {
  const secret = 'sk-live-0123456789';
  const uri = `${'u'.repeat(190)}${secret}`;
  const content = [
    { type: 'resource_link', name: 'a', uri },
    { type: 'text', text: secret },
  ];
  expect(resultText({ content }, maskFor([secret]))).toBe(`[a: ${'u'.repeat(190)}•••]\n•••`);
});

test('of error output no half of a secret is kept, however long the line and whichever way it comes', () => {
  const secret = 'k'.repeat(15_000);
  const tail = new StderrTail(systemClock, maskFor([secret]), () => {});
  for (const piece of ['token=', secret.slice(0, 9_000), secret.slice(9_000), 'x'.repeat(30_000)])
    tail.take(Buffer.from(piece));
  expect(tail.last).toMatch(/^token=•••x+$/);
  tail.take(Buffer.from(`\nnow ${secret}\n${'y'.repeat(6_000)}\n`));
  expect(tail.lines.join()).not.toContain('kkk');
  tail.flush();
});

test('lines are joined over pieces and cut nowhere else; one that is too long is told before it is whole', () => {
  const lines = new LineSplitter(10);
  expect(lines.take(Buffer.from('one\r\ntw'))).toEqual({ lines: ['one'], over: false });
  expect(lines.take(Buffer.from('o\n\nthree'))).toEqual({ lines: ['two', ''], over: false });
  expect(lines.take(Buffer.from('456789'))).toEqual({ lines: [], over: true });
});
