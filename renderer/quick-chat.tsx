import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layers.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { asAppError } from './bridge/request';
import { ErrorLine } from './components/error-line';
import { TipProvider } from './components/tooltip';
import { useDocumentLook } from './components/use-document-look';
import { summoned } from './features/quick-chat/quick-acts';
import { QuickChat } from './features/quick-chat/quick-chat';
import { startI18n } from './i18n/i18n';
import { startEventRouter } from './stores/event-router';

/** The quick chat window: its own page, with the same stores as the main window. */
function QuickWindow() {
  useDocumentLook();
  return (
    <TipProvider>
      <QuickChat />
    </TipProvider>
  );
}

startI18n();
const router = startEventRouter({
  session: () => undefined, // only the main window shows sessions when asked
  page: () => undefined,
  summoned: () => summoned(Date.now()),
});

const root = document.getElementById('root');
if (root) {
  const shown = createRoot(root);
  router.ready.then(
    () =>
      shown.render(
        <StrictMode>
          <QuickWindow />
        </StrictMode>,
      ),
    (thrown: unknown) =>
      shown.render(
        <main className="quick">
          <ErrorLine error={asAppError(thrown)} />
        </main>,
      ),
  );
}
