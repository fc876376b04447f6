import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Download } from '../../../shared/model/download';
import { toastStore } from '../../stores/toast-store';
import { fixtureCatalogue } from '../../testing/fixture-catalogue';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { DownloadAnnouncer } from './download-announcer';

afterEach(closeFixture);

const ID = 'qwen2.5-0.5b-instruct';
const running = (done: number): Download => ({ state: 'running', done, of: 100, bytesPerSecond: 1 });

async function begin(before: Download) {
  const catalogue = fixtureCatalogue({ [ID]: before });
  const bridge = await openFixture({ change: (snapshot) => ({ ...snapshot, catalogue }) });
  renderIn(<DownloadAnnouncer />);
  return (download: Download) =>
    act(async () => bridge.emit({ type: 'catalogue.changed', catalogue: fixtureCatalogue({ [ID]: download }) }));
}
const toasts = () => toastStore.getState().toasts.map((toast) => (toast.kind === 'done' ? toast.text : ''));

it('is heard at the begin, and politely', async () => {
  const becomes = await begin({ state: 'paused', done: 0, of: 100 });
  await becomes(running(1));
  expect((await screen.findByText('Downloading Qwen2.5 0.5B Instruct.')).getAttribute('aria-live')).toBe('polite');
});

it('what was already so when the window opened is not news', async () => {
  await begin({ state: 'failed', done: 0, of: null, why: { kind: 'gone' } });
  expect(screen.getByRole('status').textContent).toBe('');
  expect(toasts()).toEqual([]);
});

it('an end is seen wherever the user is', async () => {
  const becomes = await begin(running(1));
  await becomes({ state: 'failed', done: 1, of: 100, why: { kind: 'disk-full' } });
  expect(toasts()).toEqual([
    'The download of Qwen2.5 0.5B Instruct ended. The disk is full. Free some space, then try again.',
  ]);
});
