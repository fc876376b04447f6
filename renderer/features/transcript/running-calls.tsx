import './tool.css';
import { useTranslation } from 'react-i18next';
import type { ToolCall } from '../../../shared/model/message';
import { Icon } from '../../components/icon';
import { IconSearch, IconTool } from '../../components/icons';
import { messageAt } from '../../stores/message-window';
import { sessionStore, useSession } from '../../stores/session-store';
import { toolSubject, toolVerb } from './tool-words';

/** Calls of the last answer that have no result yet: the first of them runs, the others wait for their turn. */
export function RunningCalls() {
  const { t } = useTranslation();
  // what is open changes with the messages: the window is a stored reference
  useSession((state) => state.window);
  const line = useSession((state) => state.toolLine);
  return openCalls().map((call, at) => {
    const subject = toolSubject(call);
    return (
      <p key={call.id} className="tool is-running">
        {at === 0 && <span className="dot acc" />}
        <Icon of={call.name === 'recall' ? IconSearch : IconTool} />
        <b>{toolVerb(call.name, t)}</b>
        {subject !== '' && <code className="cut">{subject}</code>}
        <span>
          {at > 0 ? t('transcript.tool.waits') : line?.callId === call.id ? line.line : t('transcript.tool.runs')}
        </span>
      </p>
    );
  });
}

function openCalls(): readonly ToolCall[] {
  const { window, lastSeq } = sessionStore.getState();
  const answered = new Set<string>();
  for (let seq = lastSeq; seq > 0; seq--) {
    const message = messageAt(window, seq);
    if (message?.role !== 'tool') return (message?.calls ?? []).filter(({ id }) => !answered.has(id));
    if (message.result) answered.add(message.result.call.id);
  }
  return [];
}
