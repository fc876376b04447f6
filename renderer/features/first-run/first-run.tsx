import './first-run.css';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { Logo } from '../../components/frame/brand';
import { CaptionButtons } from '../../components/frame/caption-buttons';
import { CatalogueList } from '../../components/models/catalogue-list';
import { useAsk } from '../../components/use-ask';
import { appStore, useApp } from '../../stores/app-store';
import { layoutStore } from '../../stores/layout-store';
import { useSession } from '../../stores/session-store';
import { ChoiceList } from './choice-list';
import { absentServers, type Choice, firstChoices, lacksModel, refOf } from './first-choices';
import { RemoteForm } from './remote-form';

/** Ends the first run for good and shows the chat. */
async function finish(): Promise<void> {
  await request('settings.change', { firstRunDone: true });
  if (appStore.getState().page === 'first-run') appStore.getState().pageShown('chat');
  layoutStore.getState().composerWanted();
}

/** One screen: where answers come from. The composer below it works already; sending ends the first run. */
export function FirstRun({ dock }: { readonly dock: ReactNode }) {
  const { t } = useTranslation();
  const providers = useApp((state) => state.providers);
  const catalogue = useApp((state) => state.catalogue);
  const sessionId = useSession((state) => state.sessionId);
  const hasMessages = useSession((state) => state.lastSeq > 0);
  const { ask, problem } = useAsk();
  const choices = firstChoices(providers);
  const [picked, setPicked] = useState<string | null>(null);
  // A service that was added and does not answer is no choice (yet).
  const offered = lacksModel(providers) ? catalogue : [];
  const known =
    picked === 'remote' ||
    (picked === 'download' && offered.length > 0) ||
    choices.some((one) => one.provider.id === picked);
  const chosen = (known ? picked : choices[0]?.provider.id) ?? 'remote';
  const choice = choices.find((one) => one.provider.id === chosen);
  const absent = absentServers(providers);

  const use = (one: Choice) =>
    ask(async () => {
      const model = refOf(one);
      if (model === null) return;
      await request('settings.change', { defaultModel: model });
      if (sessionId !== null) await request('sessions.chooseModel', { sessionId, model });
    });
  const start = async () => {
    if (choice && (await use(choice))) await ask(finish);
  };
  useEffect(() => {
    if (hasMessages) void ask(finish);
  }, [hasMessages, ask]);

  return (
    <main className="first">
      <header className="first-top">
        <span className="grow" />
        <CaptionButtons />
      </header>
      <div className="first-main">
        <div className="first-column">
          <Logo size={40} />
          <h1>{title()}</h1>
          <p className="lede">{t('firstRun.lede')}</p>
          <ChoiceList
            choices={choices}
            catalogue={offered}
            chosen={chosen}
            onChoose={(id) => {
              setPicked(id);
              const one = choices.find((each) => each.provider.id === id);
              // The composer below follows the choice at once.
              if (one) void use(one);
            }}
          />
          {chosen === 'download' && (
            <div className="first-models">
              <CatalogueList />
            </div>
          )}
          {chosen === 'remote' && <RemoteForm onAdded={(provider) => setPicked(provider.id)} />}
          <div className="first-note">
            {absent.length > 0 && <span>{t('firstRun.notRunning', { names: absent.join(', ') })}</span>}
            <Button look="plain" onClick={() => void ask(() => request('providers.test', { providerId: null }))}>
              {t('firstRun.lookAgain')}
            </Button>
          </div>
          {problem && (
            <div className="first-note">
              <ErrorLine error={problem} />
            </div>
          )}
          <div className="first-go">
            {choice?.model && (
              <Button look="primary" big onClick={() => void start()}>
                {t('firstRun.start', { model: choice.model.name })}
              </Button>
            )}
            <Button look="quiet" big onClick={() => void ask(finish)}>
              {t('firstRun.skip')}
            </Button>
          </div>
        </div>
      </div>
      <div className="first-dock">{dock}</div>
    </main>
  );

  function title(): string {
    const servers = choices.filter((one) => one.provider.kind !== 'embedded' && !one.provider.remote).length;
    if (servers === 0) return t('firstRun.titleNone');
    if (servers === 2) return t('firstRun.titleTwo');
    return t('firstRun.title', { count: servers });
  }
}
