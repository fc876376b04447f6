import path from 'node:path';
import { expect, it } from 'vitest';
import { HUB } from '../providers/hub';
import { hubAddress, profileFolder } from './paths';

it('the argument names the profile before the variable, and the variable before the usual folder', () => {
  const usual = path.resolve('/home/user/.config/Palimpsest');
  expect(profileFolder(['electron', '.'], undefined, usual)).toBe(usual);
  expect(profileFolder(['electron', '.'], '/tmp/a', usual)).toBe(path.resolve('/tmp/a'));
  expect(profileFolder(['electron', '.', '--profile=/tmp/b'], '/tmp/a', usual)).toBe(path.resolve('/tmp/b'));
  expect(profileFolder(['electron', '.', '--profile='], '', usual)).toBe(usual);
});

it('models come from the public hub; only a checkout may be told of a server of this machine', () => {
  expect(hubAddress(['electron', '.'], false)).toBe(HUB);
  expect(hubAddress(['electron', '.', '--test-hub=http://127.0.0.1:4000/'], false)).toBe('http://127.0.0.1:4000');
  expect(hubAddress(['palimpsest', '--test-hub=http://127.0.0.1:4000/'], true)).toBe(HUB);
  expect(hubAddress(['electron', '.', '--test-hub=https://elsewhere.example/'], false)).toBe(HUB);
});
