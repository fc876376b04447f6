import './tool.css';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { unhidden } from '../../shared/hidden-characters';
import type { ToolCall } from '../../shared/model/message';
import { type ToolAnswer, type ToolQuestion, toolAnswers } from '../../shared/model/tools';
import { request } from '../bridge/request';
import { useSession } from '../stores/session-store';
import { Button } from './button';
import { ErrorLine } from './error-line';
import { Icon } from './icon';
import { IconTool, IconWarning } from './icons';
import { toolArguments } from './tool-words';
import { useAsk } from './use-ask';

/** A call that waits for the user: what it would do, with what, and the ways on. Nothing runs before. */
export function ToolAsk({ call, question }: { readonly call: ToolCall; readonly question: ToolQuestion }) {
  const { t } = useTranslation();
  const title = useId();
  const sessionId = useSession((state) => state.sessionId);
  const { ask, problem } = useAsk();
  const say = (answer: ToolAnswer) => {
    if (sessionId) void ask(() => request('tools.answer', { sessionId, callId: call.id, answer }));
  };
  return (
    <section className="toolbox tool-ask" aria-labelledby={title}>
      <h3 id={title} className="tool">
        <Icon of={IconTool} />
        <b>{unhidden(question.tool)}</b>
        <span>{question.server}</span>
        <span className="grow" />
        <span className="waits">{t('transcript.tool.ask.waits')}</span>
      </h3>
      {question.changed && (
        <p className="tool warn">
          <Icon of={IconWarning} className="warn" />
          {t('transcript.tool.ask.changed')}
        </p>
      )}
      <section aria-label={t('transcript.tool.arguments')}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long arguments are scrolled by the keys */}
        <pre className="tool-args" tabIndex={0}>
          {toolArguments(call, t) || t('transcript.tool.ask.noArguments')}
        </pre>
      </section>
      <div className="tool-answers">
        {toolAnswers.map((answer) => (
          <Button key={answer} look={answer === 'once' ? 'normal' : 'quiet'} onClick={() => say(answer)}>
            {t(`transcript.tool.ask.${answer}`)}
          </Button>
        ))}
      </div>
      {problem && <ErrorLine error={problem} />}
    </section>
  );
}
