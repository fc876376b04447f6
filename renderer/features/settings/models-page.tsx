import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { CatalogueList } from '../../components/models/catalogue-list';
import { type Ask, useAsk } from '../../components/use-ask';
import { useApp } from '../../stores/app-store';
import { toastStore } from '../../stores/toast-store';
import { DefaultModel } from './default-model';
import { KeepModel } from './keep-model';
import { ModelLine } from './model-line';

/** Models inside the app, with load and unload, those of servers, and those that can be downloaded. */
export function ModelsPage() {
  const { t } = useTranslation();
  const providers = useApp((state) => state.providers);
  const { ask, problem } = useAsk();
  const [dropping, setDropping] = useState(false);
  const add = (files: readonly File[]) =>
    void ask(async () => {
      const count = await request('models.add', { files: files.length > 0 ? files : 0 });
      if (count > 0) {
        toastStore.getState().happened({ kind: 'done', text: t('settings.models.added', { count }), undo: null });
      }
    });
  const inside = providers.filter((provider) => provider.kind === 'embedded');
  const servers = providers.filter((provider) => provider.kind !== 'embedded' && provider.models.length > 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop files; the button does the same
    <div
      className={dropping ? 'drop-place is-dropping' : 'drop-place'}
      onDragOver={(event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) add(files);
      }}
    >
      <div className="page-head">
        <p className="intro grow">{t('settings.models.intro')}</p>
        <Button onClick={() => add([])}>{t('settings.models.add')}</Button>
      </div>
      {problem && (
        <div className="page-problem">
          <ErrorLine error={problem} />
        </div>
      )}
      <ul className="lines">
        <DefaultModel providers={providers} />
        <KeepModel />
      </ul>
      <h2 className="page-group">{t('settings.models.inside')}</h2>
      <ModelLines providers={inside} ask={ask} />
      {servers.length > 0 && (
        <>
          <h2 className="page-group">{t('settings.models.servers')}</h2>
          <ModelLines providers={servers} ask={ask} />
        </>
      )}
      <h2 className="page-group">{t('getModel.title')}</h2>
      <CatalogueList />
    </div>
  );
}

interface LinesProps {
  readonly providers: readonly Provider[];
  readonly ask: Ask['ask'];
}

function ModelLines({ providers, ask }: LinesProps) {
  const { t } = useTranslation();
  if (providers.every((provider) => provider.models.length === 0)) {
    return <p className="intro">{t('settings.models.none')}</p>;
  }
  return (
    <ul className="lines">
      {providers.flatMap((provider) =>
        provider.models.map((model) => (
          <ModelLine key={`${provider.id} ${model.model}`} provider={provider} model={model} ask={ask} />
        )),
      )}
    </ul>
  );
}
