import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../shared/errors';
import { App } from './app';
import { asAppError } from './bridge/request';
import { Full } from './components/error-boundary';
import { loadRichPlugins } from './components/markdown/use-rich-plugins';
import { errorSentence } from './i18n/error-sentence';
import { appStore } from './stores/app-store';
import { mainWindowShows, startEventRouter } from './stores/event-router';
import { layoutStore } from './stores/layout-store';
import { newChat, takeView } from './stores/open-session';
import { told } from './stores/toast-store';

type Phase =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Takes the first snapshot and opens the chat one was last in; without any, a new one behind the first run. */
export function Start() {
  const { t } = useTranslation();
  const [phase, setPhase] = useState<Phase>({ kind: 'starting' });
  const [tries, setTries] = useState(0);
  const again = useCallback(() => {
    setPhase({ kind: 'starting' });
    setTries((before) => before + 1);
  }, []);
  useEffect(() => {
    const router = startEventRouter(mainWindowShows);
    let current = true;
    router.ready.then(
      () => {
        if (!current) return;
        setPhase({ kind: 'ready' });
        void told(openFirst());
      },
      (thrown: unknown) => current && setPhase({ kind: 'failed', error: asAppError(thrown) }),
    );
    return () => {
      current = false;
      router.stop();
    };
  }, [tries]);
  switch (phase.kind) {
    // Main answers within milliseconds: until then the window has its background and nothing else.
    case 'starting':
      return null;
    case 'ready':
      return <App />;
    case 'failed':
      return (
        <Full
          title={t('app.cannotStart.title')}
          detail={errorSentence(t, phase.error)}
          action={t('app.cannotStart.again')}
          onAction={again}
        />
      );
  }
}

async function openFirst(): Promise<void> {
  const { order, rows, settings, pageShown } = appStore.getState();
  const newest = order
    .map((id) => rows[id])
    .reduce((best, row) => (row && (!best || row.updatedAt > best.updatedAt) ? row : best), undefined);
  if (!settings.firstRunDone) pageShown('first-run');
  // Main may have asked for a session meanwhile: from a notification, or from a second start.
  if (appStore.getState().currentId === null) {
    if (newest) {
      appStore.getState().sessionShown(newest.id);
      if (!settings.firstRunDone) pageShown('first-run');
      await takeView(newest.id, null);
    } else {
      await newChat();
      if (!settings.firstRunDone) pageShown('first-run');
    }
  }
  layoutStore.getState().composerWanted();
  requestIdleCallback(() => void loadRichPlugins());
}
