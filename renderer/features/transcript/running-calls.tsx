import '../../components/tool.css';
import { useTranslation } from 'react-i18next';
import type { ToolCall } from '../../../shared/model/message';
import { Icon } from '../../components/icon';
import { ToolAsk } from '../../components/tool-ask';
import { toolIcon, toolServer, toolSubject, toolVerb } from '../../components/tool-words';
import { useApp } from '../../stores/app-store';
import { openCalls } from '../../stores/open-calls';
import { useSession } from '../../stores/session-store';

/** Calls of the last answer that have no result yet: the first of them runs, or waits for the user; the others wait. */
export function RunningCalls() {
  // what is open changes with the messages: the window is a stored reference
  useSession((state) => state.window);
  const question = useSession((state) => state.toolQuestion);
  return openCalls().map((call, at) =>
    at === 0 && question?.callId === call.id ? (
      <ToolAsk key={call.id} call={call} question={question} />
    ) : (
      <RunningCall key={call.id} call={call} runs={at === 0} />
    ),
  );
}

function RunningCall({ call, runs }: { readonly call: ToolCall; readonly runs: boolean }) {
  const { t } = useTranslation();
  const line = useSession((state) => (state.toolLine?.callId === call.id ? state.toolLine.line : null));
  const server = useApp((app) => toolServer(call.name, app.tools.servers));
  const subject = toolSubject(call);
  return (
    <p className="tool is-running">
      {runs && <span className="dot acc" />}
      <Icon of={toolIcon(call.name)} />
      <b>{toolVerb(call.name, t)}</b>
      {server !== '' && <span>{server}</span>}
      {subject !== '' && <code className="cut">{subject}</code>}
      <span>{runs ? (line ?? t('transcript.tool.runs')) : t('transcript.tool.waits')}</span>
    </p>
  );
}
