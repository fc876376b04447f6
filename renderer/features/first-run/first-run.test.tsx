import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { appStore } from '../../stores/app-store';
import { newChat } from '../../stores/open-session';
import { fixtureProviders, ollamaId } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { firstChoices } from './first-choices';
import { FirstRun } from './first-run';

afterEach(closeFixture);

async function begin(providers = fixtureProviders()) {
  const bridge = await openFixture(
    { settings: { firstRunDone: false }, change: (snapshot) => ({ ...snapshot, providers }) },
    { open: false },
  );
  await newChat();
  appStore.getState().pageShown('first-run');
  renderIn(<FirstRun dock={<p>The composer</p>} />);
  return bridge;
}

it('offers what was found, the practice model for what it is, and a remote service', async () => {
  await begin();
  expect(screen.getAllByRole('radio').map((radio) => radio.querySelector('b')?.textContent)).toEqual([
    'Ollama',
    'LM Studio',
    'Practice model, inside the app',
    'Remote service',
  ]);
  expect(screen.getByText(/It repeats what it is told/)).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Two model servers are running on this computer.');
});

it('begins with the chosen model in the chat that is open and in new ones', async () => {
  const bridge = await begin();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Start with qwen3:30b' })));
  const model = { providerId: ollamaId, model: 'qwen3:30b' };
  expect(askedFor(bridge, 'sessions.chooseModel')).toMatchObject([{ model }]);
  expect(bridge.settings).toMatchObject({ defaultModel: model, firstRunDone: true });
  expect(appStore.getState().page).toBe('chat');
});

it('can be skipped on a machine without any server', async () => {
  const bridge = await begin(fixtureProviders().filter((provider) => provider.kind === 'embedded'));
  expect(screen.getByText('The composer')).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Skip for now' })));
  expect(bridge.settings.firstRunDone).toBe(true);
});

it('prefers a loaded model and never the practice model to one of the user', () => {
  const [, , , embedded] = fixtureProviders();
  const practice = embedded?.models[0];
  if (!embedded || !practice) throw new Error('no practice model');
  const own = { ...practice, model: '/m/own.gguf', name: 'own', practice: false };
  expect(firstChoices([{ ...embedded, models: [practice, own] }])[0]?.model?.name).toBe('own');
});

it('offers a download where there is no model but the practice model, and nowhere else', async () => {
  const bridge = await begin(fixtureProviders().filter((provider) => provider.kind === 'embedded'));
  fireEvent.click(screen.getByRole('radio', { name: /^Download a model/ }));
  expect(screen.getByText(/4 models from 491 MB to 4\.7 GB/)).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Download Qwen2.5 0.5B Instruct' })));
  expect(askedFor(bridge, 'models.download')).toEqual([{ id: 'qwen2.5-0.5b-instruct' }]);
  act(() => bridge.emit({ type: 'providers.changed', providers: fixtureProviders(), defaultModel: null }));
  expect(screen.queryByRole('radio', { name: /^Download a model/ })).toBeNull();
});
