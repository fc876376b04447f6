import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { ErrorLine } from '../../components/error-line';
import { MessageField } from '../../components/message-field';
import { ModelPicker } from '../../components/model-picker';
import { SendButton } from '../../components/send-button';
import { sendLook } from '../../components/send-look';
import type { Ask } from '../../components/use-ask';
import { modelOf, useApp } from '../../stores/app-store';
import { useSession } from '../../stores/session-store';
import { askQuestion, chooseModel } from './quick-acts';
import { useQuick } from './quick-state';

export interface QuickDockProps {
  readonly modifier: string;
  readonly ask: Ask['ask'];
  readonly problem: Ask['problem'];
}

/** The field that has the caret with each summons, and the controls under it. */
export function QuickDock({ modifier, ask, problem }: QuickDockProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [picking, setPicking] = useState(false);
  const sessionId = useSession((state) => state.sessionId);
  const turn = useSession((state) => state.turn);
  const use = useSession((state) => state.context);
  const summons = useQuick((state) => state.summons);
  const chosen = useQuick((state) => state.model);
  const model = useApp((state) => modelOf(state, sessionId));
  const look = sendLook(text, turn);

  function send(): void {
    const question = text;
    if (question.trim() === '') return;
    setText('');
    void ask(() => askQuestion(question, Date.now())).then((sent) => {
      if (!sent) setText((meanwhile) => (meanwhile === '' ? question : `${question}\n\n${meanwhile}`));
    });
  }

  return (
    <div className="quick-dock">
      {problem && (
        <div className="field-problem">
          <ErrorLine error={problem} />
        </div>
      )}
      <MessageField
        value={text}
        label={t('composer.field')}
        placeholder={t(sessionId === null ? 'quickChat.ask' : 'quickChat.followUp')}
        onChange={setText}
        onSend={send}
        focusWanted={summons}
      />
      <div className="quick-foot">
        <ModelPicker
          model={sessionId === null ? (chosen ?? model) : model}
          sessionId={sessionId}
          needTokens={use?.total ?? null}
          brief
          open={picking}
          onOpenChange={setPicking}
          onChoose={(ref) => void ask(() => chooseModel(ref))}
          onSettings={null}
        />
        <span className="grow" />
        <span className="quick-hint">
          <kbd>Esc</kbd> {t('quickChat.hide')}
        </span>
        {sessionId !== null && (
          <span className="quick-hint">
            <kbd>{modifier}O</kbd> {t('quickChat.main')}
          </span>
        )}
        <SendButton
          look={look}
          onSend={send}
          onStop={() => {
            if (sessionId !== null) void ask(() => request('turns.stop', { sessionId }));
          }}
        />
      </div>
    </div>
  );
}
