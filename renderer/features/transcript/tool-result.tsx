import '../../components/tool.css';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message, ResultState, ToolResult } from '../../../shared/model/message';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import {
  IconClose,
  IconCut,
  IconDone,
  IconDown,
  IconRefused,
  IconRight,
  IconStop,
  IconWaits,
  IconWarning,
} from '../../components/icons';
import { CopyButton } from '../../components/markdown/copy-button';
import { stateWord, toolArguments, toolIcon, toolServer, toolSubject, toolVerb } from '../../components/tool-words';
import { formatSeconds } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { Unanswered } from './unanswered';

/** A tool's result, folded to one line: what was called, with what, how long it took, how it ended. */
export function ToolResultRow({ message, isLast }: { readonly message: Message; readonly isLast: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const body = useId();
  const { result } = message;
  return (
    <>
      <div className={open ? 'toolbox' : undefined}>
        <div className="tool-head">
          <button
            type="button"
            className="tool"
            aria-expanded={open}
            aria-controls={body}
            onClick={() => setOpen(!open)}
          >
            <Icon of={open ? IconDown : IconRight} />
            {result ? <CallWords result={result} /> : <b>{t('transcript.tool.imported')}</b>}
          </button>
          {open && <CopyButton text={message.text} />}
        </div>
        {open && (
          <div id={body}>
            {result && result.call.args !== '{}' && (
              <section aria-label={t('transcript.tool.arguments')}>
                <pre className="tool-args">{toolArguments(result.call, t)}</pre>
              </section>
            )}
            <ResultText message={message} />
          </div>
        )}
      </div>
      {isLast && <Unanswered way="goOn" />}
    </>
  );
}

function CallWords({ result }: { readonly result: ToolResult }) {
  const { t } = useTranslation();
  const { call, state, tookMs } = result;
  const subject = toolSubject(call);
  const server = useApp((app) => toolServer(call.name, app.tools.servers));
  return (
    <>
      <Icon of={toolIcon(call.name)} />
      <b>{toolVerb(call.name, t)}</b>
      {server !== '' && <span>{server}</span>}
      {subject !== '' && <code className="cut">{subject}</code>}
      {tookMs !== null && tookMs >= SHOWN_MS && <span className="num">{formatSeconds(tookMs)}</span>}
      <Icon of={stateIcon[state]} className={state === 'done' ? 'ok' : 'warn'} />
      <span className={state === 'done' ? 'sr' : 'warn'}>{stateWord(state, t)}</span>
    </>
  );
}

/** A call that took less is told without its time. */
const SHOWN_MS = 100;

const stateIcon: Record<ResultState, typeof IconDone> = {
  done: IconDone,
  failed: IconRefused,
  'timed-out': IconWaits,
  cancelled: IconStop,
  interrupted: IconWarning,
  denied: IconClose,
};

/** What the model got; and the whole, where that was shortened. */
function ResultText({ message }: { readonly message: Message }) {
  const { t } = useTranslation();
  const sessionId = useSession((state) => state.sessionId);
  const [whole, setWhole] = useState<string | null>(null);
  const fullTokens = message.result?.fullTokens ?? null;
  return (
    <section aria-label={t('transcript.tool.result')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long result is scrolled by the keys */}
      <pre tabIndex={0}>{whole ?? message.text}</pre>
      {fullTokens !== null && sessionId && (
        <div className="tool short">
          <Icon of={IconCut} />
          <span>{t('transcript.tool.shortened', { count: fullTokens })}</span>
          <span className="grow" />
          <Button
            look="quiet"
            onClick={() =>
              whole === null
                ? void told(request('messages.fullResult', { sessionId, id: message.id }).then(setWhole))
                : setWhole(null)
            }
          >
            {whole === null ? t('transcript.tool.full') : t('transcript.tool.asSent')}
          </Button>
        </div>
      )}
    </section>
  );
}
