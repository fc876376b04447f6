import './settings.css';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { Bar } from '../../components/frame/bar';
import { IconPlus } from '../../components/icons';
import { type SettingsPage as PageName, useApp } from '../../stores/app-store';
import { AboutPage } from './about-page';
import { AddProvider } from './add-provider';
import { AppearancePage } from './appearance-page';
import { CompressionPage } from './compression-page';
import { DataPage } from './data-page';
import { ModelsPage } from './models-page';
import { ProvidersPage } from './providers-page';
import { QuickChatPage } from './quick-chat-page';
import { ToolServerForm } from './tool-server-form';
import { ToolsPage } from './tools-page';

const pages: Readonly<Record<PageName, ComponentType>> = {
  providers: ProvidersPage,
  models: ModelsPage,
  compression: CompressionPage,
  'quick-chat': QuickChatPage,
  tools: ToolsPage,
  appearance: AppearancePage,
  data: DataPage,
  about: AboutPage,
};

/** The settings page that is chosen at the left. */
export function SettingsPage() {
  const { t } = useTranslation();
  const name = useApp((state) => state.settingsPage);
  const [adding, setAdding] = useState(false);
  const Page = pages[name];
  return (
    <main className="main">
      <Bar>
        <h1>{t(`settings.pages.${name}`)}</h1>
        <span className="grow" />
        {name === 'providers' && (
          <Button icon={IconPlus} onClick={() => setAdding(true)}>
            {t('settings.providers.add')}
          </Button>
        )}
        {name === 'tools' && (
          <Button icon={IconPlus} onClick={() => setAdding(true)}>
            {t('tools.add')}
          </Button>
        )}
      </Bar>
      <div className="page-scroll">
        <div className="page">
          <Page />
        </div>
      </div>
      {adding && name === 'providers' && <AddProvider onClose={() => setAdding(false)} />}
      {adding && name === 'tools' && <ToolServerForm server={null} onClose={() => setAdding(false)} />}
    </main>
  );
}
