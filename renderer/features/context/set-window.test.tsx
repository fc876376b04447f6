import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ContextUse } from '../../../shared/model/context';
import { windowChange } from '../../components/models/window-change';
import { fixtureContext, fixtureProviders, ollamaId } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { ContextNotes } from './context-notes';
import { windowChoices } from './window-choices';

afterEach(closeFixture);

async function show(use: ContextUse, kind: 'ollama' | 'openai' = 'ollama') {
  const providers = fixtureProviders().map((provider) => (provider.id === ollamaId ? { ...provider, kind } : provider));
  const bridge = await openFixture({ change: (snapshot) => ({ ...snapshot, providers }) });
  renderIn(<ContextNotes peak={null} use={use} />);
  return bridge;
}
const use = (change: Partial<ContextUse> = {}): ContextUse => ({ ...fixtureContext(65_536, 30_000), ...change });
const click = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

it('a window is raised where its source stands, with the memory of each choice', async () => {
  const bridge = await show(use({ trained: 262_144, source: 'asked' }));
  await click('Raise it…');
  const choices = screen.getAllByRole('radio').map((radio) => radio.textContent);
  expect(choices).toContain('131,072 tokensabout 35.6 GBtoo large');
  expect(choices.at(-1)).toContain('262,144 tokens');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^16,384/ })));
  await click('Use this window');
  expect(askedFor(bridge, 'models.setWindow')).toEqual([{ providerId: ollamaId, model: 'qwen3:30b', tokens: 16_384 }]);
});

it('where a server tells no window it can be entered', async () => {
  const bridge = await show(use({ window: null, trained: null, source: 'unknown' }), 'openai');
  await click('Enter it…');
  fireEvent.change(screen.getByRole('textbox', { name: 'Tokens' }), { target: { value: '32,768' } });
  await click('Use this window');
  expect(askedFor(bridge, 'models.setWindow')).toMatchObject([{ tokens: 32_768 }]);
});

it('nothing is offered where the server alone decides, or where there is no more to be had', () => {
  const model = { trained: 8_192, chosenWindow: null };
  expect(windowChange({ kind: 'openai' }, model, { window: 8_192, source: 'server' })).toBeNull();
  expect(windowChange({ kind: 'embedded' }, model, { window: 8_192, source: 'asked' })).toBeNull();
  expect(
    windowChange({ kind: 'embedded' }, { ...model, chosenWindow: 8_192 }, { window: 8_192, source: 'asked' }),
  ).toBe('change');
  expect(windowChange({ kind: 'ollama' }, model, { window: 4_096, source: 'learned' })).toBe('raise');
  expect(windowChange({ kind: 'ollama' }, { ...model, trained: null }, { window: null, source: 'unknown' })).toBe(
    'raise',
  );
});

it('choices end at what the model was trained for; another computer’s memory is not judged', () => {
  const model = { trained: 40_960, bytes: 5e9, cacheBytesPerToken: 147_456 };
  const here = windowChoices({ kind: 'embedded', remote: false }, model, 10_000, 16e9);
  expect(here.map(({ tokens }) => tokens)).toEqual([4_096, 8_192, 10_000, 16_384, 32_768, 40_960]);
  expect(here.map(({ fit }) => fit)).toEqual(['fits', 'fits', 'fits', 'tight', 'too-large', 'too-large']);
  const there = windowChoices({ kind: 'ollama', remote: true }, model, null, 16e9);
  expect(there.every(({ fit, needsBytes }) => fit === null && needsBytes !== null)).toBe(true);
  const unknown = windowChoices({ kind: 'ollama', remote: false }, { ...model, cacheBytesPerToken: null }, null, 16e9);
  expect(unknown.every(({ fit, needsBytes }) => fit === null && needsBytes === null)).toBe(true);
});
