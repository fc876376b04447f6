import { cleanup, type RenderResult, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { TipProvider } from '../components/tooltip';
import { startI18n } from '../i18n/i18n';
import { appStore } from '../stores/app-store';
import { mainWindowShows, type ShowHandlers, startEventRouter } from '../stores/event-router';
import { layoutStore } from '../stores/layout-store';
import { openSession } from '../stores/open-session';
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
  appStore.setState(appStore.getInitialState(), true);
  sessionStore.setState(sessionStore.getInitialState(), true);
  layoutStore.setState(layoutStore.getInitialState(), true);
  toastStore.setState(toastStore.getInitialState(), true);
}

/** Renders with what stands around every window's content. */
export function renderIn(element: ReactElement): RenderResult {
  return render(element, { wrapper: ({ children }) => <TipProvider>{children}</TipProvider> });
}

/** The inputs with which a route was asked, in order. */
export function askedFor(bridge: FixtureBridge, route: string): readonly unknown[] {
  return bridge.asked.filter((each) => each.route === route).map((each) => each.input);
}
