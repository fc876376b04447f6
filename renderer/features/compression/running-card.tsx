import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attempt } from '../../../shared/model/compression';
import type { Settings } from '../../../shared/model/settings';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconFold, IconWaits } from '../../components/icons';
import type { Ask } from '../../components/use-ask';
import { formatClock } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { useNow } from '../../stores/clock';
import { cardActs } from './card-acts';
import { RunningFacts } from './card-facts';
import { ChunkBar } from './chunk-bar';
import { NewestLine, NewestMenu } from './newest-line';
import { phaseWords } from './phase-words';
import { useRecovering } from './recover-ask';
import { useBar } from './use-bar';

export interface RunningCardProps {
  readonly attempt: Attempt;
  readonly ask: Ask['ask'];
  readonly onRecover: () => void;
}

/** The card while the attempt runs. */
export function RunningCard({ attempt, ask, onRecover }: RunningCardProps) {
  const { t } = useTranslation();
  const show = useApp((state) => state.settings.newestLine);
  const bar = useBar(attempt);
  const words = phaseWords(t, attempt, bar.again);
  const waits = attempt.elsewhere || attempt.phase === 'waiting';
  const usesModel = attempt.model !== null && attempt.noModel === null && !attempt.elsewhere;
  const showNewest = (next: Settings['newestLine']) => void ask(() => cardActs.showNewest(next));
  return (
    <>
      <div className="card-head">
        <Icon of={waits ? IconWaits : IconFold} />
        <h2>{words.title}</h2>
        <span className="t2 cut">{words.detail}</span>
        <Elapsed since={attempt.startedAt} />
      </div>
      <ChunkBar share={attempt.elsewhere ? 0 : bar.share} chunks={attempt.chunks} />
      <RunningFacts attempt={attempt} />
      {usesModel && show !== 'off' && <NewestLine attempt={attempt} show={show} onShow={showNewest} />}
      {attempt.elsewhere && <ElsewhereFoot attempt={attempt} onRecover={onRecover} />}
      <RunningFoot attempt={attempt} lined={!usesModel || show === 'off'} canSkip={usesModel} ask={ask}>
        {usesModel && show === 'off' && <NewestMenu show={show} onShow={showNewest} />}
      </RunningFoot>
    </>
  );
}

function Elapsed({ since }: { readonly since: number }) {
  const now = useNow();
  return <span className="clock">{formatClock(now - since)}</span>;
}

/**
 * Another window's attempt is not ours to cancel, but it may hang. A message that waits for it takes it over by itself, and
 * has its ways on in the notice.
 */
function ElsewhereFoot({ attempt, onRecover }: Pick<RunningCardProps, 'attempt' | 'onRecover'>) {
  const { t } = useTranslation();
  const recovering = useRecovering();
  if (attempt.turnWaits || recovering) return null;
  return (
    <div className="card-foot line">
      <Button look="plain" onClick={onRecover}>
        {t('compression.recover.open')}
      </Button>
    </div>
  );
}

interface FootProps {
  readonly attempt: Attempt;
  readonly lined: boolean;
  readonly canSkip: boolean;
  readonly ask: Ask['ask'];
  /** At the right end, after everything else. */
  readonly children: ReactNode;
}

function RunningFoot({ attempt, lined, canSkip, ask, children }: FootProps) {
  const { t } = useTranslation();
  const tooLate = attempt.phase === 'saving' || attempt.phase === 'stopping';
  if (attempt.elsewhere) return null;
  return (
    <div className={lined ? 'card-foot line' : 'card-foot'}>
      <Button disabled={tooLate} onClick={() => void ask(() => cardActs.cancel(attempt))}>
        {t('compression.do.cancel')}
      </Button>
      {canSkip && attempt.phase !== 'checking' && !tooLate && (
        <Button look="plain" onClick={() => void ask(() => cardActs.skipModel(attempt))}>
          {t('compression.do.skip')}
        </Button>
      )}
      {attempt.turnWaits && attempt.need === 'pressure' && !tooLate && (
        <Button look="plain" onClick={() => void ask(() => cardActs.sendNow(attempt))}>
          {t('compression.do.sendNow')}
        </Button>
      )}
      {attempt.turnWaits && <span className="card-foot-note">{t('compression.sentAfter')}</span>}
      {children}
    </div>
  );
}
