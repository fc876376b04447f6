import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolServer } from '../../../shared/model/tools';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import type { Ask } from '../../components/use-ask';

/** Tools that are listed before the rest is asked for. */
const FIRST = 6;

interface ServerToolsProps {
  readonly server: ToolServer;
  readonly ask: Ask['ask'];
}

/** The tools of a server: what each says of itself, whether it still asks, and which cannot be offered. */
export function ServerTools({ server, ask }: ServerToolsProps) {
  const { t } = useTranslation();
  const { tools, state } = server;
  const [all, setAll] = useState(false);
  if (tools.length === 0) {
    return <p className="form-none">{t(state.kind === 'ready' ? 'tools.noTools' : 'tools.notListed')}</p>;
  }
  return (
    <ul className="server-tools">
      {tools.slice(0, all ? tools.length : FIRST).map(({ name, description, always, leftOut }, at) => (
        <li key={`${name} ${at}`}>
          <div className="grow">
            <p className="medium cut">{name === '' ? '—' : name}</p>
            <p className="setting-hint">
              {leftOut ? <span className="warn">{t(`tools.leftOut.${leftOut}`)}</span> : description}
            </p>
          </div>
          {always && (
            <>
              <span className="tag">{t('tools.always')}</span>
              <Button
                aria-label={t('tools.askAgainOf', { name })}
                onClick={() => void ask(() => request('tools.revoke', { serverId: server.id, tool: name }))}
              >
                {t('tools.askAgain')}
              </Button>
            </>
          )}
        </li>
      ))}
      {!all && tools.length > FIRST && (
        <li>
          <Button look="plain" onClick={() => setAll(true)}>
            {t('tools.all', { count: tools.length })}
          </Button>
        </li>
      )}
    </ul>
  );
}
