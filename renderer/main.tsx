import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layers.css';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from './components/error-boundary';
import { startI18n } from './i18n/i18n';
import { Start } from './start';

// Until main says which theme holds, the window is drawn for the one that the system names.
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
startI18n();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ErrorBoundary>
      <Start />
    </ErrorBoundary>,
  );
}
