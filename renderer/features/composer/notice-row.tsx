import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import type { Notice } from '../../../shared/model/notice';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { useWindowChange } from '../../components/models/window-change';
import { useAsk } from '../../components/use-ask';
import { formatClock } from '../../i18n/format';
import { useNow } from '../../stores/clock';
import { isBusy, useSession } from '../../stores/session-store';
import { ExhaustedWays } from './exhausted-ways';
import { actOnNotice } from './notice-acts';
import { NoticeIcon } from './notice-icon';
import { type NoticeAct, type NoticeWords, noticeWords } from './notice-words';

export interface NoticeRowProps {
  readonly notice: Notice;
  readonly sessionId: SessionId;
  readonly onChooseModel: () => void;
}

/** One fact with its ways on. The list announces it. */
export function NoticeRow({ notice, sessionId, onChooseModel }: NoticeRowProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const waits = useSession((state) => isBusy(state) || state.outbox.length > 0);
  const words = noticeWords(t, notice, waits);
  const context = useSession((state) => state.context);
  const change = useWindowChange(context)?.change;
  // where the server alone decides about its window there is nothing to offer
  const buttons = words.buttons.filter(({ act }) =>
    act === 'raise-window' ? change === 'raise' : act !== 'enter-window' || change === 'enter',
  );
  const act = (what: NoticeAct) => {
    if (what === 'choose-model') onChooseModel();
    else void ask(() => actOnNotice(what, notice, sessionId));
  };
  const exhausted = notice.kind === 'exhausted';
  return (
    <div className="notice-wrap">
      <div className={exhausted ? 'notice has-ways' : 'notice'} data-kind={notice.kind}>
        <NoticeIcon icon={words.icon} tone={words.tone} />
        <div className="notice-say">
          <span>
            <b>{words.reason}</b>
            {words.consequence && <span> {withNumbers(words.consequence)}</span>}
          </span>
          {words.clock && <Countdown {...words.clock} />}
        </div>
        {buttons.length > 0 && (
          <div className="notice-go">
            {buttons.map((button) => (
              <Button key={button.act} look="plain" onClick={() => act(button.act)}>
                {button.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      {exhausted && <ExhaustedWays onAct={act} />}
      {problem && (
        <div className="field-problem">
          <ErrorLine error={problem} />
        </div>
      )}
    </div>
  );
}

/** Numbers that the notice is about stand out: `<n>` marks them in the catalogue. */
function withNumbers(text: string) {
  return text.split(/<n>(.*?)<\/n>/).map((piece, index) =>
    index % 2 === 1 ? (
      <span key={index} className="clock">
        {piece}
      </span>
    ) : (
      piece
    ),
  );
}

function Countdown({ until, form }: NonNullable<NoticeWords['clock']>) {
  const { t } = useTranslation();
  // Up, so that a countdown never shows 0:00 while time is left.
  const clock = formatClock(Math.ceil((until - useNow()) / 1_000) * 1_000);
  return (
    <span className="clock" role="timer">
      {' '}
      {t(`composer.notices.${form}`, { clock })}
    </span>
  );
}
