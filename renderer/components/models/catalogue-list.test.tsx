import { act, fireEvent, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Download, DownloadFailure } from '../../../shared/model/download';
import type { ProviderId } from '../../../shared/model/ids';
import { startI18n } from '../../i18n/i18n';
import { appStore } from '../../stores/app-store';
import { fixtureCatalogue } from '../../testing/fixture-catalogue';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { CatalogueList } from './catalogue-list';
import { downloadWords, failureWords, saidOf } from './download-words';

beforeAll(startI18n);
afterEach(closeFixture);

const ID = 'qwen3-4b-instruct-2507';
const NAME = 'Qwen3 4B Instruct 2507';
async function show(download?: Download) {
  const catalogue = fixtureCatalogue(download ? { [ID]: download } : {});
  const bridge = await openFixture({ change: (snapshot) => ({ ...snapshot, catalogue }) });
  renderIn(<CatalogueList />);
  const row = screen.getAllByRole('listitem').find((each) => each.textContent?.includes(NAME));
  if (!row) throw new Error('no row');
  return { bridge, row: within(row) };
}
const click = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

it('each model is told with size, licence, memory, and whether it fits, in words', async () => {
  await show();
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows[0]).toContain('4 billion parameters, Apache-2.0, 491 MB');
  expect(rows.map((row) => /memory: (fits|tight|too large)/.exec(row ?? '')?.[1])).toEqual([
    'fits',
    'tight',
    undefined,
    'too large',
  ]);
  expect(rows[2]).toContain('size asked before the download');
  expect(screen.getByText(/this computer has 14\.9 GB/)).toBeTruthy();
});

it('where a file comes from and its checksum are one click away', async () => {
  await show();
  await click(`About ${NAME}`);
  const about = screen.getByRole('dialog', { name: `About ${NAME}` });
  expect(about.textContent).toContain('someone/qwen3-4b-instruct-2507-GGUF');
  expect(about.textContent).toContain('ab'.repeat(32));
});

it('a running download shows bytes, speed and time left, and can be paused', async () => {
  const { bridge, row } = await show({ state: 'running', done: 5e8, of: 25e8, bytesPerSecond: 20e6 });
  expect(row.getByText('500 MB of 2.5 GB, 20 MB/s, 1:40 left')).toBeTruthy();
  expect(row.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('20');
  await click(`Pause ${NAME}`);
  expect(askedFor(bridge, 'models.pauseDownload')).toEqual([{ id: ID }]);
});

it('a cancel names what is lost and asks first', async () => {
  const { bridge } = await show({ state: 'paused', done: 5e8, of: 25e8 });
  await click(`Cancel ${NAME}`);
  expect(screen.getByText('500 MB that have arrived are deleted. A pause keeps them.')).toBeTruthy();
  await click('Go on');
  expect(askedFor(bridge, 'models.cancelDownload')).toEqual([]);
  await click(`Cancel ${NAME}`);
  await click('Cancel the download');
  expect(askedFor(bridge, 'models.cancelDownload')).toEqual([{ id: ID }]);
});

it('what was paused is resumed, what failed is tried again with its reason in sight', async () => {
  const { bridge, row } = await show({ state: 'failed', done: 0, of: null, why: { kind: 'refused', status: 403 } });
  expect(row.getByText(/The hub refuses this file \(status 403\)/)).toBeTruthy();
  expect(row.queryByRole('progressbar')).toBeNull();
  await click(`Try ${NAME} again`);
  act(() => {
    const catalogue = fixtureCatalogue({ [ID]: { state: 'paused', done: 1, of: 2 } });
    bridge.emit({ type: 'catalogue.changed', catalogue });
  });
  await click(`Resume ${NAME}`);
  expect(askedFor(bridge, 'models.download')).toEqual([{ id: ID }, { id: ID }]);
});

it('a model that is here can be chatted with at once', async () => {
  const model = { providerId: 'embedded' as ProviderId, model: '/models/x.gguf' };
  const { bridge } = await show({ state: 'done', model });
  await click('Chat with it');
  expect(askedFor(bridge, 'sessions.chooseModel')).toMatchObject([{ model }]);
  expect(appStore.getState().page).toBe('chat');
});

const failures: readonly DownloadFailure[] = [
  { kind: 'unreachable', host: 'huggingface.co', reason: 'ENOTFOUND' },
  { kind: 'stalled', seconds: 30 },
  { kind: 'cut' },
  { kind: 'server-busy', status: 503 },
  { kind: 'died' },
  { kind: 'refused', status: 403 },
  { kind: 'gone' },
  { kind: 'odd-answer', status: 302 },
  { kind: 'bad-redirect', address: 'http://example.com' },
  { kind: 'wrong-length', expected: 1_000, got: 900 },
  { kind: 'wrong-hash' },
  { kind: 'no-space', needBytes: 5e9, freeBytes: 1e9 },
  { kind: 'disk-full' },
  { kind: 'not-writable', reason: 'EACCES' },
  { kind: 'not-a-model', reason: 'version 77 is not known' },
  { kind: 'unreadable', reason: 'EMFILE: too many open files' },
  { kind: 'elsewhere' },
  { kind: 'internal', message: 'x is undefined' },
];

it.each(failures)('$kind is a plain sentence with its numbers in place, and says what to do next', (why) => {
  expect(failureWords(i18next.t, why)).not.toMatch(/[{}]|getModel\./);
  const words = downloadWords(i18next.t, { state: 'failed', done: 0, of: null, why }, 0);
  expect(words).toMatch(/^[A-Z].*(\.|”)$/);
  expect(words.split('. ').length).toBeGreaterThan(1);
});

it('those who listen hear the begin, each quarter and the end, not every megabyte', () => {
  const [row] = fixtureCatalogue();
  if (!row) throw new Error('no row');
  const at = (share: number) =>
    saidOf(i18next.t, { ...row, download: { state: 'running', done: share * 1e9, of: 1e9, bytesPerSecond: 1 } });
  expect([0, 0.1, 0.26, 0.49, 0.5, 0.8, 1].map(at)).toEqual([
    'Downloading Qwen2.5 0.5B Instruct.',
    'Downloading Qwen2.5 0.5B Instruct.',
    'Qwen2.5 0.5B Instruct: 25 percent.',
    'Qwen2.5 0.5B Instruct: 25 percent.',
    'Qwen2.5 0.5B Instruct: 50 percent.',
    'Qwen2.5 0.5B Instruct: 75 percent.',
    'Qwen2.5 0.5B Instruct: 75 percent.',
  ]);
});
