import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRef, ProviderId } from '../../shared/model/ids';
import type { Model, Provider, ProviderState } from '../../shared/model/provider';
import { appStore } from '../stores/app-store';
import { session } from '../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../testing/fixture-window';
import { ModelPicker } from './model-picker';

afterEach(closeFixture);

const model = (name: string, change: Partial<Model> = {}): Model => ({
  model: name,
  name,
  state: 'loaded',
  served: 32_768,
  trained: null,
  bytes: null,
  cacheBytesPerToken: null,
  chosenWindow: null,
  downloaded: false,
  canSummarize: true,
  sees: false,
  practice: false,
  ...change,
});
const provider = (id: string, models: readonly Model[], change: Partial<Provider> = {}): Provider => ({
  id: id as ProviderId,
  kind: 'openai',
  name: id,
  address: `https://${id}.example`,
  origin: 'user',
  remote: false,
  hasKey: false,
  askWindow: null,
  state: { kind: 'ready', answeredInMs: 4 },
  models,
  ...change,
});
const ref = (providerId: string, name: string): ModelRef => ({ providerId: providerId as ProviderId, model: name });

function Picker({
  chosen,
  onChoose,
}: {
  readonly chosen: ModelRef | null;
  readonly onChoose: (ref: ModelRef) => void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <ModelPicker
      model={chosen}
      sessionId={session(1)}
      needTokens={14_210}
      open={open}
      onOpenChange={setOpen}
      onChoose={onChoose}
      onSettings={null}
    />
  );
}

async function openPicker(chosen: ModelRef | null, providers: readonly Provider[]) {
  await openFixture();
  appStore.getState().providersChanged(providers, null);
  const picked: ModelRef[] = [];
  renderIn(<Picker chosen={chosen} onChoose={(each) => picked.push(each)} />);
  fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' });
  return picked;
}
const choose = (name: RegExp) => act(async () => fireEvent.click(screen.getByRole('menuitemradio', { name })));
const here = provider('here', [model('a'), model('b', { served: 8_192, state: 'not-loaded' })]);

describe('the model picker', () => {
  it.each<[ProviderState, string]>([
    [{ kind: 'ready', answeredInMs: null }, '32,768 served'],
    [{ kind: 'offline', nextTryAt: null }, 'offline'],
    [{ kind: 'asking', away: false }, 'asking'],
    [{ kind: 'refused', code: 'unreachable', fields: {} }, 'refused'],
  ])('names the model with its window, or the state that matters more: %o', async (state, words) => {
    await openFixture();
    appStore.getState().providersChanged([{ ...here, state }], null);
    renderIn(<Picker chosen={ref('here', 'a')} onChoose={() => undefined} />);
    expect(screen.getByRole('button', { name: `Model: a, ${words}` })).toBeTruthy();
  });

  it('groups by provider, names remote ones, and says before one chooses whether the request fits', async () => {
    await openPicker(ref('here', 'a'), [here, provider('far', [model('c')], { remote: true })]);
    expect(screen.getByText('here, this computer')).toBeTruthy();
    expect(screen.getByText('far, remote: text leaves this computer')).toBeTruthy();
    expect(screen.getByRole('menuitemradio', { name: /^b/ }).textContent).toContain('8,192, too small');
    const described = (name: RegExp) => {
      const item = screen.getByRole('menuitemradio', { name });
      fireEvent.focus(item);
      return document.getElementById(item.getAttribute('aria-describedby') ?? '')?.textContent;
    };
    expect(described(/^a/)).toBe('Fits: the next request takes 14,210 tokens.');
    expect(described(/^b/)).toContain('Too small');
  });

  it('takes a local model at once', async () => {
    const picked = await openPicker(ref('here', 'a'), [here]);
    await choose(/^b/);
    expect(picked).toEqual([ref('here', 'b')]);
  });

  it('asks once, naming the service, before text leaves this computer', async () => {
    const far = provider('far', [model('c'), model('d')], { remote: true });
    const picked = await openPicker(ref('here', 'a'), [here, far]);
    await choose(/^c/);
    expect(picked).toEqual([]);
    const dialog = screen.getByRole('dialog');
    expect(dialog.textContent).toContain('Send this chat to far?');
    expect(dialog.textContent).toContain('https://far.example');
    await act(async () => fireEvent.click(screen.getByText('Stay on this computer')));
    expect(picked).toEqual([]);

    fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' });
    await choose(/^c/);
    await act(async () => fireEvent.click(screen.getByText('Send it to far')));
    expect(picked).toEqual([ref('far', 'c')]);

    fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' });
    await choose(/^d/);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(picked).toEqual([ref('far', 'c'), ref('far', 'd')]);
  });

  it('shows a model that is not there any more by its name', async () => {
    await openFixture();
    appStore.getState().providersChanged([], null);
    renderIn(<Picker chosen={ref('gone', '/models/tiny.gguf')} onChoose={() => undefined} />);
    expect(screen.getByRole('button', { name: 'Model: tiny.gguf, not there any more' })).toBeTruthy();
  });
});
