import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { ErrorLine } from '../../components/error-line';
import { IconButton } from '../../components/icon-button';
import { IconPlus } from '../../components/icons';
import { MessageField } from '../../components/message-field';
import { ModelPicker } from '../../components/model-picker';
import { SendButton } from '../../components/send-button';
import { useAsk } from '../../components/use-ask';
import { appStore, findProvider, modelOf, useApp } from '../../stores/app-store';
import { attachFiles } from '../../stores/attach-store';
import { useLayout } from '../../stores/layout-store';
import { isBusy, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { AttachmentList } from './attachment-list';
import { Meter } from './meter';
import { NoticeList } from './notice-list';
import { OutboxList } from './outbox-list';
import { outboxWait } from './outbox-words';
import { ProviderPlace } from './provider-place';
import { useComposer } from './use-composer';
import './dock.css';

export interface DockProps {
  /** What the status line says instead of where the answers come from: the compression. */
  readonly status?: ReactNode;
}

/** Everything about the next send is one block: notices, waiting messages, field, controls; below it the status line. */
export function Dock({ status }: DockProps) {
  const { t } = useTranslation();
  const composer = useComposer();
  const { sessionId } = composer;
  const busy = useSession(isBusy);
  const notices = useSession((state) => state.notices);
  const outbox = useSession((state) => state.outbox);
  const attempt = useSession((state) => state.attempt);
  const isEmpty = useSession((state) => state.lastSeq === 0);
  const focusWanted = useLayout((state) => state.composerFocus);
  const [picking, setPicking] = useState(false);
  return (
    <div className="dock-wrap">
      <section className="dock" aria-label={t('composer.dock')}>
        {sessionId && (
          <>
            <NoticeList notices={notices} sessionId={sessionId} onChooseModel={() => setPicking(true)} />
            <OutboxList outbox={outbox} sessionId={sessionId} wait={outboxWait(composer.turn, attempt, notices)} />
          </>
        )}
        {sessionId && <AttachmentList sessionId={sessionId} />}
        <MessageField
          value={composer.text}
          label={t('composer.field')}
          placeholder={t(`composer.placeholder.${busy ? 'busy' : isEmpty ? 'first' : 'reply'}`)}
          onChange={composer.type}
          onSend={composer.send}
          onKey={composer.key}
          onBlur={composer.flush}
          onPaste={composer.paste}
          focusWanted={focusWanted}
        />
        {composer.problem && (
          <div className="field-problem">
            <ErrorLine error={composer.problem} />
          </div>
        )}
        <Controls picking={picking} onPicking={setPicking}>
          <SendButton look={composer.look} onSend={composer.send} onStop={composer.stop} />
        </Controls>
      </section>
      <div className="status">
        <div className="status-said">{status ?? <Place />}</div>
        {(busy || !status) && <span className="hint">{t(busy ? 'composer.hint.adds' : 'composer.hint.sends')}</span>}
      </div>
    </div>
  );
}

interface ControlsProps {
  readonly picking: boolean;
  readonly onPicking: (open: boolean) => void;
  readonly children: ReactNode;
}

function Controls({ picking, onPicking, children }: ControlsProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const sessionId = useSession((state) => state.sessionId);
  const model = useApp((state) => modelOf(state, sessionId));
  const use = useSession((state) => state.context);
  const exhausted = useSession((state) => state.notices.some((notice) => notice.kind === 'exhausted'));
  const panelOpen = useLayout((state) => state.panelOpen);
  const togglePanel = useLayout((state) => state.panelToggled);
  return (
    <>
      {problem && (
        <div className="field-problem">
          <ErrorLine error={problem} />
        </div>
      )}
      <div className="ctl">
        <IconButton icon={IconPlus} label={t('composer.files.attach')} onClick={() => void told(attachFiles([]))} />
        <span className="grow" />
        <Meter use={use} exhausted={exhausted} panelOpen={panelOpen} onTogglePanel={togglePanel} />
        <ModelPicker
          model={model}
          sessionId={sessionId}
          needTokens={use?.total ?? null}
          open={picking}
          onOpenChange={onPicking}
          onChoose={(ref) => {
            if (sessionId) void ask(() => request('sessions.chooseModel', { sessionId, model: ref }));
          }}
          onSettings={() => appStore.getState().settingsPageShown('providers')}
        />
        {children}
      </div>
    </>
  );
}

function Place() {
  const sessionId = useSession((state) => state.sessionId);
  const provider = useApp((state) => findProvider(state, modelOf(state, sessionId)?.providerId));
  return <ProviderPlace provider={provider} />;
}
