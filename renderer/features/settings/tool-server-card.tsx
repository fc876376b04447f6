import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolServer } from '../../../shared/model/tools';
import { runsAs } from '../../../shared/runs-as';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { FormRow } from '../../components/form-row';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconDown, IconRemote, IconTool, IconUp } from '../../components/icons';
import { Switch } from '../../components/switch';
import { useAsk } from '../../components/use-ask';
import { ServerTools } from './server-tools';
import { ToolServerForm } from './tool-server-form';
import { isRemoteServer, ToolServerState } from './tool-server-words';

/** One tool server: what runs, how it is, and when opened its tools, its last lines, and what can be done about it. */
export function ToolServerCard({ server }: { readonly server: ToolServer }) {
  const { t } = useTranslation();
  const id = useId();
  const { transport, state } = server;
  const failed = state.kind === 'failed';
  const [open, setOpen] = useState<boolean | null>(null);
  const shown = open ?? failed;
  const [editing, setEditing] = useState(false);
  const { ask, problem } = useAsk();
  const remote = isRemoteServer(server);
  const place = transport.kind === 'stdio' ? 'stdio' : remote ? 'remote' : 'local';
  return (
    <section className="prov" aria-labelledby={id}>
      <header>
        <Icon of={remote ? IconRemote : IconTool} />
        <h2 id={id} className="cut">
          {server.name}
        </h2>
        <span className={remote ? 'tag out' : 'tag'}>{t(`tools.place.${place}`)}</span>
        <span className="grow" />
        <ToolServerState server={server} />
        <Switch
          label={t('tools.on', { name: server.name })}
          on={state.kind !== 'off'}
          onChange={(on) => void ask(() => request('tools.switchServer', { serverId: server.id, on }))}
        />
        <IconButton
          icon={shown ? IconUp : IconDown}
          label={t(shown ? 'tools.close' : 'tools.open', { name: server.name })}
          aria-expanded={shown}
          onClick={() => setOpen(!shown)}
        />
      </header>
      {(problem || failed) && (
        <div className="prov-problem">
          <ErrorLine error={problem ?? (state as Extract<typeof state, { kind: 'failed' }>)} />
        </div>
      )}
      {shown && (
        <div className="prov-body">
          <FormRow label={t(transport.kind === 'stdio' ? 'tools.runs' : 'tools.address')}>
            <code className="runs">{runsAs(transport)}</code>
          </FormRow>
          {transport.kind === 'stdio' && transport.variables.length > 0 && (
            <FormRow label={t('tools.variables')}>
              <code className="runs">{transport.variables.join(', ')}</code>
            </FormRow>
          )}
          {transport.kind === 'http' && transport.hasToken && (
            <FormRow label={t('tools.token')}>
              <p className="runs">{t('tools.tokenSet')}</p>
            </FormRow>
          )}
          <FormRow label={t('tools.tools')}>
            <ServerTools server={server} ask={ask} />
          </FormRow>
          {server.stderr.length > 0 && (
            <FormRow label={t('tools.lines')}>
              <section aria-label={t('tools.linesLabel', { name: server.name })}>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keys */}
                <pre className="server-lines" tabIndex={0}>
                  {server.stderr.join('\n')}
                </pre>
              </section>
            </FormRow>
          )}
          <div className="prov-foot">
            <Button onClick={() => setEditing(true)}>{t('tools.edit')}</Button>
            <Button
              disabled={state.kind === 'off' || state.kind === 'starting'}
              onClick={() => void ask(() => request('tools.restartServer', { serverId: server.id }))}
            >
              {t(state.kind === 'ready' ? 'tools.restart' : 'tools.start')}
            </Button>
            <Button
              look="danger"
              onClick={() => void ask(() => request('tools.removeServer', { serverId: server.id }))}
            >
              {t('tools.remove')}
            </Button>
          </div>
        </div>
      )}
      {editing && <ToolServerForm server={server} onClose={() => setEditing(false)} />}
    </section>
  );
}
