import path from 'node:path';
import { expect, it } from 'vitest';
import { profileFolder } from './paths';

it('the argument names the profile before the variable, and the variable before the usual folder', () => {
  const usual = path.resolve('/home/user/.config/Palimpsest');
  expect(profileFolder(['electron', '.'], undefined, usual)).toBe(usual);
  expect(profileFolder(['electron', '.'], '/tmp/a', usual)).toBe(path.resolve('/tmp/a'));
  expect(profileFolder(['electron', '.', '--profile=/tmp/b'], '/tmp/a', usual)).toBe(path.resolve('/tmp/b'));
  expect(profileFolder(['electron', '.', '--profile='], '', usual)).toBe(usual);
});
