import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { useApp } from '../../stores/app-store';
import { told } from '../../stores/toast-store';

const drawings = { minimize: 'M3 8h10', maximize: 'M3.5 3.5h9v9h-9z', close: 'm3.5 3.5 9 9M12.5 3.5l-9 9' } as const;

/** Minimize, maximize and close, where the app draws its own title bar: on Windows and Linux. */
export function CaptionButtons() {
  const { t } = useTranslation();
  const mac = useApp((state) => state.platform === 'darwin');
  if (mac) return null;
  return (
    <div className="caption">
      {(['minimize', 'maximize', 'close'] as const).map((act) => (
        <button
          key={act}
          type="button"
          // As in the system's own title bars, Tab does not come here; the system's keys do the same.
          tabIndex={-1}
          className={act}
          aria-label={t(`app.caption.${act}`)}
          onClick={() => void told(request('window.act', { act }))}
        >
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d={drawings[act]} fill="none" stroke="currentColor" />
          </svg>
        </button>
      ))}
    </div>
  );
}
