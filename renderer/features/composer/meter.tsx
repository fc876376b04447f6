import { useTranslation } from 'react-i18next';
import type { ContextUse } from '../../../shared/model/context';
import { Tip } from '../../components/tooltip';
import { formatThousands } from '../../i18n/format';
import { meterScale } from './meter-scale';
import './meter.css';

export interface MeterProps {
  readonly use: ContextUse | null;
  /** True where the next request cannot be sent at all: the only red there is. */
  readonly exhausted: boolean;
  readonly panelOpen: boolean;
  readonly onTogglePanel: () => void;
}

/** Fill of the served window by the next request. Click shows the context panel. */
export function Meter({ use, exhausted, panelOpen, onTogglePanel }: MeterProps) {
  const { t } = useTranslation();
  const words = usedWords();
  return (
    <Tip text={exactWords()}>
      <button
        type="button"
        className={['meter', panelOpen ? 'is-on' : '', exhausted ? 'is-exhausted' : ''].filter(Boolean).join(' ')}
        aria-label={t('composer.meter.label', { use: words })}
        aria-pressed={panelOpen}
        onClick={onTogglePanel}
      >
        <Gauge use={use} exhausted={exhausted} />
        <span className="meter-use">{words}</span>
      </button>
    </Tip>
  );

  function usedWords(): string {
    if (use === null) return t('composer.meter.none');
    const used = formatThousands(use.total);
    const both =
      use.window === null
        ? t('composer.meter.noWindow', { used })
        : t('composer.meter.use', { used, window: formatThousands(use.window) });
    return about(use, both);
  }

  function exactWords(): string {
    if (use === null) return t('composer.meter.none');
    const all =
      use.window === null
        ? t('composer.meter.exactNoWindow', { used: use.total })
        : t('composer.meter.exact', { used: use.total, window: use.window, reserve: use.reserve });
    return about(use, all);
  }

  /** Until a runtime has counted it, it is our estimate, and says so wherever it stands. */
  function about({ exact }: ContextUse, value: string): string {
    return exact ? value : t('composer.meter.about', { value });
  }
}

function Gauge({ use, exhausted }: Pick<MeterProps, 'use' | 'exhausted'>) {
  const scale = use === null ? null : meterScale(use);
  if (exhausted || scale === null) {
    return <span className="gauge">{exhausted && <span className="gauge-fill" style={{ width: '100%' }} />}</span>;
  }
  return (
    <span className="gauge">
      <span className={scale.over > 0 ? 'gauge-fill before-over' : 'gauge-fill'} style={{ width: `${scale.fill}%` }} />
      {scale.over > 0 && <span className="gauge-over" style={{ left: `${scale.fill}%`, width: `${scale.over}%` }} />}
      <span className="gauge-reserve" style={{ width: `${scale.reserve}%` }} />
      {scale.soft !== null && <span className="gauge-mark" style={{ left: `${scale.soft}%` }} />}
      {scale.hard !== null && <span className="gauge-mark hard" style={{ left: `${scale.hard}%` }} />}
    </span>
  );
}
