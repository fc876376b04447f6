import './tools.css';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { Switch } from '../../components/switch';
import { useAsk } from '../../components/use-ask';
import { useApp } from '../../stores/app-store';
import { told } from '../../stores/toast-store';
import { changeSettings } from './change-settings';
import { SettingLine } from './setting-line';
import { ToolServerCard } from './tool-server-card';

/** What models may call: the app's own tools, folders that they may read, and tool servers with what was allowed. */
export function ToolsPage() {
  const { t } = useTranslation();
  const servers = useApp((state) => state.tools.servers);
  const timeTool = useApp((state) => state.settings.timeTool);
  // those that are on are started, so that what is shown is as it is now
  useEffect(() => void told(request('tools.show', {})), []);
  return (
    <>
      <p className="intro">{t('tools.intro')}</p>
      <h2 className="page-group">{t('tools.builtIn')}</h2>
      <ul className="lines">
        <SettingLine title={t('tools.recall')} hint={t('tools.recallHint')}>
          {() => <span className="t3">{t('tools.recallOn')}</span>}
        </SettingLine>
        <SettingLine title={t('tools.time')} hint={t('tools.timeHint')}>
          {(id) => <Switch labelledBy={id} on={timeTool} onChange={(on) => changeSettings({ timeTool: on })} />}
        </SettingLine>
      </ul>
      <Folders />
      <h2 className="page-group">{t('tools.servers')}</h2>
      <p className="intro">{t('tools.serversHint')}</p>
      {servers.length === 0 && <p className="intro">{t('tools.noServers')}</p>}
      {servers.map((server) => (
        <ToolServerCard key={server.id} server={server} />
      ))}
    </>
  );
}

function Folders() {
  const { t } = useTranslation();
  const folders = useApp((state) => state.tools.folders);
  const { ask, problem } = useAsk();
  const [gone, setGone] = useState<readonly string[]>([]);
  const names = folders.map(({ name }) => name).join('\n'); // the list itself is new with each event of a server
  useEffect(() => {
    if (names !== '') void told(request('tools.goneFolders', {}).then(setGone));
  }, [names]);
  return (
    <>
      <div className="page-head group-head">
        <h2 className="page-group grow">{t('tools.folders')}</h2>
        <Button onClick={() => void ask(() => request('tools.addFolder', {}))}>{t('tools.addFolder')}</Button>
      </div>
      <p className="intro">{t('tools.foldersHint')}</p>
      {problem && (
        <div className="page-problem">
          <ErrorLine error={problem} />
        </div>
      )}
      <ul className="lines" aria-label={t('tools.folders')}>
        {folders.length === 0 && <li className="setting-note t2">{t('tools.noFolders')}</li>}
        {folders.map(({ name, path }) => (
          <li key={name} className="setting">
            <div className="grow folder">
              <p className="medium cut">{name}</p>
              <p className="setting-hint cut">{path}</p>
              {gone.includes(name) && <p className="setting-hint warn">{t('tools.folderGone')}</p>}
            </div>
            <Button
              aria-label={t('tools.removeFolder', { name })}
              onClick={() => void ask(() => request('tools.removeFolder', { name }))}
            >
              {t('tools.take')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
