import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import { startI18n } from '../i18n/i18n';
import { toolArguments, toolSubject, toolVerb } from './tool-words';

startI18n();
const { t } = i18next;
const shown = (args: string) => toolArguments({ id: 'c', name: 'x__y', args }, t);

describe('the arguments that are shown', () => {
  it('are those that run: numbers as they are read, one value a name', () => {
    expect(shown('{"id":9007199254740993}')).toBe('{"id":9007199254740992}');
    expect(shown('{"to": "me", "to": "you"}')).toBe('{"to":"you"}');
    expect(toolSubject({ id: 'c', name: 'x__y', args: '{"id":9007199254740993}' })).toBe('{"id":9007199254740992}');
    expect(shown('{ }')).toBe('');
  });

  it('show hidden characters, in one line and in many', () => {
    expect(shown('{"a":"x\u202ey\u2066\u200b"}')).toBe(String.raw`{"a":"x\u{202e}y\u{2066}\u{200b}"}`);
    const long = JSON.stringify({ a: 'x\u202ey', b: 'z'.repeat(80) });
    expect(shown(long)).toBe(`{\n  "a": "x\\u{202e}y",\n  "b": "${'z'.repeat(80)}"\n}`);
    expect(toolVerb('x__a\u202eb', t)).toBe(String.raw`a\u{202e}b`);
  });

  it('that cannot be read stand as they were written, and it is said', () => {
    for (const args of ['{"a":', '[1]', '7'])
      expect(shown(args)).toBe(
        `These are not arguments that can be read, so no tool runs with them. As they were written:\n${args}`,
      );
  });
});
