import './components/frame/frame.css';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppKeys } from './app-keys';
import { ChatDock, ChatPage } from './chat-page';
import { Announcer } from './components/announcer';
import { Bar } from './components/frame/bar';
import { SidebarFrame } from './components/frame/sidebar-frame';
import { DownloadAnnouncer } from './components/models/download-announcer';
import { Toasts } from './components/toasts';
import { TipProvider } from './components/tooltip';
import { useDocumentLook } from './components/use-document-look';
import { FirstRun } from './features/first-run/first-run';
import { KeyboardHelp } from './features/palette/keyboard-help';
import { Palette } from './features/palette/palette';
import { SettingsNav } from './features/settings/settings-nav';
import { SettingsPage } from './features/settings/settings-page';
import { BinPage } from './features/sidebar/bin-page';
import { Sidebar } from './features/sidebar/sidebar';
import { useApp } from './stores/app-store';
import { layoutStore, useLayout } from './stores/layout-store';

/** The main window. The one place where features meet: they never import each other. */
export function App() {
  useDocumentLook();
  useAppKeys();
  const overlay = useLayout((state) => state.overlay);
  return (
    <TipProvider>
      <div className="win">
        <Page />
      </div>
      {overlay === 'palette' && <Palette />}
      {overlay === 'keyboard-help' && <KeyboardHelp />}
      <Toasts />
      <Announcer />
      <DownloadAnnouncer />
    </TipProvider>
  );
}

function Page() {
  const { t } = useTranslation();
  const page = useApp((state) => state.page);
  const currentId = useApp((state) => state.currentId);
  // A chosen chat is what one wants to see, not the list that lies over it.
  useEffect(() => {
    if (currentId !== null) layoutStore.getState().sidebarOverCalled(false);
  }, [currentId]);
  switch (page) {
    case 'first-run':
      return <FirstRun dock={<ChatDock />} />;
    case 'settings':
      return (
        <>
          <SidebarFrame label={t('settings.title')} title={t('settings.title')}>
            <SettingsNav />
          </SidebarFrame>
          <SettingsPage />
        </>
      );
    case 'bin':
      return (
        <>
          <Chats />
          <main className="main">
            <Bar>
              <h1>{t('sidebar.binPage.title')}</h1>
              <span className="grow" />
            </Bar>
            <div className="page-scroll">
              <BinPage />
            </div>
          </main>
        </>
      );
    case 'chat':
      return (
        <>
          <Chats />
          <ChatPage />
        </>
      );
  }
}

function Chats() {
  const { t } = useTranslation();
  return (
    <SidebarFrame label={t('sidebar.label')}>
      <Sidebar />
    </SidebarFrame>
  );
}
