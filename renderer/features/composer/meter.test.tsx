import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ContextUse } from '../../../shared/model/context';
import { useSession } from '../../stores/session-store';
import { branch, fixtureContext, session } from '../../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { Meter } from './meter';

afterEach(closeFixture);

function OfSession() {
  const use = useSession((state) => state.context);
  return <Meter use={use} exhausted={false} panelOpen={false} onTogglePanel={() => {}} />;
}

/** Shows the meter of a session; answers what main says when the count becomes another one. */
async function showMeter(first: ContextUse | null): Promise<(next: ContextUse) => Promise<void>> {
  const bridge = await openFixture({ view: (view) => ({ ...view, context: first }) });
  await act(async () => renderIn(<OfSession />));
  return (context) =>
    act(async () => bridge.emit({ type: 'context.changed', sessionId: session(1), branchId: branch(1), context }));
}

const counted = fixtureContext(65_536, 33_780);
const guessed = { ...counted, exact: false };
const meter = () => screen.getByRole('button', { name: /^Context: / });
/** What it says when it is pointed at. */
async function tip(): Promise<string | undefined> {
  fireEvent.focus(meter());
  return (await screen.findByRole('tooltip')).textContent ?? undefined;
}

describe('the meter', () => {
  it('S75 shows ≈ in words, name and tip until a real count arrives, and then the count without it', async () => {
    const change = await showMeter(guessed);
    expect(meter().textContent).toBe('≈ 34.4k of 65.5k');
    expect(meter().getAttribute('aria-label')).toBe('Context: ≈ 34.4k of 65.5k');
    expect(await tip()).toBe('≈ 34,420 of 65,536 tokens, 4,096 kept for the answer');
    await change(counted);
    expect(meter().textContent).toBe('34.4k of 65.5k');
    expect(await tip()).toBe('34,420 of 65,536 tokens, 4,096 kept for the answer');
  });

  it('S75 leaves the old count at once where a compaction makes it another one: ours, with ≈', async () => {
    const change = await showMeter(counted);
    await change({ ...fixtureContext(65_536, 7_360), exact: false });
    expect(meter().textContent).toBe('≈ 8.0k of 65.5k');
    expect(meter().querySelector('.gauge-fill')?.getAttribute('style')).toContain('12.2');
  });

  it('S62 is full at what is served, however large a window the model was trained for', async () => {
    await showMeter({ ...fixtureContext(16_384, 7_552), trained: 262_144 });
    expect(meter().textContent).toBe('8.2k of 16.4k');
    expect(meter().querySelector('.gauge-fill')?.getAttribute('style')).toContain('50%');
  });

  it('S65 jumps to what an overflow has proved: how large the prompt was, and the window', async () => {
    const change = await showMeter({ ...guessed, total: 5_800 });
    expect(meter().textContent).toBe('≈ 5.8k of 65.5k');
    await change({ ...fixtureContext(6_000, 6_361), source: 'learned' });
    expect(meter().textContent).toBe('7.0k of 6.0k');
    const widths = ['.gauge-fill', '.gauge-over'].map((part) => meter().querySelector<HTMLElement>(part)?.style.width);
    expect(widths).toEqual(['56.25%', '43.75%']);
  });

  it('S75 says of a window that is unknown that it is, with ≈ too', async () => {
    await showMeter({ ...fixtureContext(null, 7_360), exact: false });
    expect(meter().textContent).toBe('≈ 8.0k, window unknown');
    expect(await tip()).toBe('≈ 8,000 tokens; the window is unknown');
  });

  it('S75 says that nothing was counted where there is not even an estimate', async () => {
    await showMeter(null);
    expect(meter().textContent).toBe('not counted yet');
    expect(meter().querySelector('.gauge-fill')).toBeNull();
  });
});
