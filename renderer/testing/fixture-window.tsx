import { cleanup, type RenderResult, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { TipProvider } from '../components/tooltip';
import { summaryEditStore } from '../features/compression/summary-edit-store';
import { quickStore } from '../features/quick-chat/quick-state';
import { editStore } from '../features/transcript/edit-store';
import { startI18n } from '../i18n/i18n';
import { appStore } from '../stores/app-store';
import { attachStore } from '../stores/attach-store';
import { mainWindowShows, type ShowHandlers, startEventRouter } from '../stores/event-router';
import { foldStore } from '../stores/fold-store';
import { jumpStore } from '../stores/jump-store';
import { layoutStore } from '../stores/layout-store';
import { openSession } from '../stores/open-session';
import { rangeStore } from '../stores/range-store';
import { rolledBackStore } from '../stores/rolled-back-store';
import { sessionStore } from '../stores/session-store';
import { toastStore } from '../stores/toast-store';
import { FixtureBridge, type FixtureOptions } from './fixture-bridge';
import { session } from './fixture-data';

let stop: (() => void) | null = null;

/**
 * Puts an in-memory main behind `window.palimpsest`, takes its snapshot and opens its first session, as a window
 * does when it starts. Ended by `closeFixture`.
 */
export async function openFixture(
  options: FixtureOptions = {},
  { shows = mainWindowShows, open = true }: { readonly shows?: ShowHandlers; readonly open?: boolean } = {},
): Promise<FixtureBridge> {
  const bridge = new FixtureBridge(options);
  Object.defineProperty(window, 'palimpsest', { value: bridge, configurable: true });
  startI18n();
  const router = startEventRouter(shows);
  stop = router.stop;
  await router.ready;
  if (open) await openSession(session(1), null);
  return bridge;
}

/** For `afterEach`: unmounts what was rendered, stops listening to the bridge and forgets what was told. */
export function closeFixture(): void {
  cleanup();
  stop?.();
  stop = null;
  for (const forget of forgetAll) forget();
}

const back =
  <T,>(store: StoreApi<T>) =>
  () =>
    store.setState(store.getInitialState(), true);
/** Every store, as a window begins with it. */
const forgetAll = [
  back(appStore),
  back(sessionStore),
  back(layoutStore),
  back(toastStore),
  back(rolledBackStore),
  back(foldStore),
  back(jumpStore),
  back(attachStore),
  back(rangeStore),
  back(editStore),
  back(summaryEditStore),
  back(quickStore),
];

/** Renders with what stands around every window's content. */
export function renderIn(element: ReactElement): RenderResult {
  return render(element, { wrapper: ({ children }) => <TipProvider>{children}</TipProvider> });
}

/** The inputs with which a route was asked, in order. */
export function askedFor(bridge: FixtureBridge, route: string): readonly unknown[] {
  return bridge.asked.filter((each) => each.route === route).map((each) => each.input);
}
