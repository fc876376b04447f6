import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { ErrorLine } from '../../components/error-line';
import { Stepper } from '../../components/stepper';
import { Switch } from '../../components/switch';
import { useAsk } from '../../components/use-ask';
import { useSession } from '../../stores/session-store';

/** Most turns that can be kept whole: the contract's limit. */
const MOST_TURNS = 99;

/** Settings of this session alone. */
export function SessionRules({ sessionId }: { readonly sessionId: SessionId }) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const automatic = useSession((state) => state.automatic);
  const review = useSession((state) => state.review);
  const keepTurns = useSession((state) => state.keepTurns);
  return (
    <section aria-label={t('context.settings')}>
      <h3>{t('context.settings')}</h3>
      <div className="panel-set">
        <span id="rule-automatic">{t('context.automatic')}</span>
        <Switch
          labelledBy="rule-automatic"
          on={automatic === 'on'}
          onChange={(on) =>
            void ask(() => request('sessions.setAutomatic', { sessionId, automatic: on ? 'on' : 'off' }))
          }
        />
      </div>
      {automatic === 'breaker' && <p className="panel-why">{t('context.breaker')}</p>}
      <div className="panel-set">
        <span id="rule-review">{t('context.review')}</span>
        <Switch
          labelledBy="rule-review"
          on={review}
          onChange={(on) => void ask(() => request('sessions.setReview', { sessionId, review: on }))}
        />
      </div>
      <div className="panel-set">
        <span>{t('context.keep')}</span>
        <Stepper
          label={t('context.keep')}
          value={keepTurns}
          min={0}
          max={MOST_TURNS}
          onChange={(turns) => void ask(() => request('sessions.setKeepTurns', { sessionId, turns }))}
        />
      </div>
      {keepTurns === 0 && <p className="panel-why">{t('context.keepNone')}</p>}
      {problem && <ErrorLine error={problem} />}
    </section>
  );
}
