import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { Attempt, AttemptOutcome, RecoverPreview } from '../../../shared/model/compression';
import { sessionStore } from '../../stores/session-store';
import { fixtureAttempt } from '../../testing/fixture-attempt';
import { session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { CompressionCard } from './compression-card';

afterEach(closeFixture);

const sessionId = session(1);
const held: AttemptOutcome = { kind: 'deferred', why: { kind: 'lease-held', holder: 'x' } };
const ended = (change: Partial<Attempt> = {}) =>
  fixtureAttempt({ phase: 'ended', outcome: held, need: 'manual', trigger: 'button', endedAt: 1_248_000, ...change });
const at = new Date();
at.setHours(0, 1, 0, 0);

async function show(
  attempt: Attempt,
  preview: RecoverPreview = { kind: 'held', since: at.getTime(), watchMs: 45_000 },
) {
  const bridge = await openFixture();
  bridge.handlers['compression.previewRecover'] = () => preview;
  return { bridge, view: renderIn(<CompressionCard attempt={attempt} />) };
}
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const said = () => screen.getAllByRole('listitem').map((item) => item.textContent);

describe('S28 Recover', () => {
  it('stands on the card of what the user asked for and another window holds, beside Try again', async () => {
    const { bridge } = await show(ended());
    await press('Try again');
    expect(askedFor(bridge, 'compression.again')).toEqual([{ sessionId, attemptId: 1 }]);
    await press('Recover…');
    expect(askedFor(bridge, 'compression.recover')).toEqual([]); // it only says what it would do
    expect(screen.getByRole('dialog', { name: 'Recover this compression?' })).toBeTruthy();
  });

  it('says all that it does before it is done', async () => {
    const { bridge } = await show(ended());
    await press('Recover…');
    const dialog = screen.getByRole('dialog');
    expect(dialog.textContent).toContain('Another window has held this chat’s compression since 00:01.');
    expect(said()).toEqual([
      'This window now watches it for up to 45 seconds.',
      'If it gives a sign of life, nothing is taken from it and it goes on.',
      'If it gives none, or at once where its process is gone, this window takes over and compresses.',
      'No message is lost, and nothing that is stored.',
      'What the other window had not stored is refused should it wake up.',
    ]);
    await press('Recover');
    expect(askedFor(bridge, 'compression.recover')).toEqual([{ sessionId, attemptId: 1 }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('takes the time from main, not from itself', async () => {
    await show(ended(), { kind: 'held', since: null, watchMs: 7_000 });
    await press('Recover…');
    expect(screen.getByRole('dialog').textContent).toContain('Another window holds this chat’s compression.');
    expect(said()[0]).toBe('This window now watches it for up to 7 seconds.');
  });

  it('compresses at once where the other has ended meanwhile, and says so', async () => {
    const { bridge } = await show(ended(), { kind: 'free' });
    await press('Recover…');
    expect(screen.getByRole('dialog').textContent).toContain('no longer holds');
    expect(said()).toEqual(['This window compresses at once.', 'No message is lost, and nothing that is stored.']);
    await press('Compress');
    expect(askedFor(bridge, 'compression.recover')).toHaveLength(1);
  });

  it('does nothing when it is closed', async () => {
    const { bridge } = await show(ended());
    await press('Recover…');
    await press('Cancel');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(askedFor(bridge, 'compression.recover')).toEqual([]);
  });

  it('stays open and says why when main refuses', async () => {
    const { bridge } = await show(ended());
    bridge.handlers['compression.recover'] = () => {
      throw new AppError('range-unknown');
    };
    await press('Recover…');
    await press('Recover');
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('Choose the range once more.');
  });

  it('is not taken away while one reads it, when the card passes on to the other window’s attempt', async () => {
    const { bridge, view } = await show(ended());
    await press('Recover…');
    view.rerender(<CompressionCard attempt={fixtureAttempt({ id: 9 as Attempt['id'], elsewhere: true })} />);
    await press('Recover');
    expect(askedFor(bridge, 'compression.recover')).toEqual([{ sessionId, attemptId: 1 }]);
  });

  it('stands on the card of the other window’s attempt too, unless a message waits, which takes over by itself', async () => {
    const { bridge, view } = await show(fixtureAttempt({ elsewhere: true }));
    await press('Recover…');
    await press('Recover');
    expect(askedFor(bridge, 'compression.recover')).toEqual([{ sessionId, attemptId: 1 }]);
    view.rerender(<CompressionCard attempt={fixtureAttempt({ elsewhere: true, turnWaits: true })} />);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['what no person asked for', { need: 'must' }],
    ['a proposal that was to be accepted', { trigger: 'accept' }],
    ['another reason to wait', { outcome: { kind: 'deferred', why: { kind: 'worker-exiting' } } }],
    ['a failure', { outcome: { kind: 'failed', failure: 'stalled' } }],
    ['one that runs here', { outcome: null, phase: 'reading', endedAt: null }],
  ] as const)('is not offered for %s', async (_what, change) => {
    await show(ended(change));
    expect(screen.queryByText('Recover…')).toBeNull();
    expect(screen.queryByText('Try again')).toBeNull();
  });

  it('is not offered a second time while this window watches', async () => {
    const { view } = await show(ended());
    act(() => sessionStore.getState().noticesChanged([{ kind: 'recovering', until: Date.now() + 45_000 }]));
    expect(screen.queryByRole('button')).toBeNull();
    expect(view.container.textContent).toContain('Nothing was changed so far.');
    view.rerender(<CompressionCard attempt={fixtureAttempt({ elsewhere: true })} />);
    expect(screen.queryByRole('button')).toBeNull();
    act(() => sessionStore.getState().noticesChanged([{ kind: 'recover-alive' }]));
    expect(screen.getByText('Recover…')).toBeTruthy();
  });
});
