import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { FormRow } from '../../components/form-row';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconDown, IconEmbedded, IconRemote, IconServer, IconUp } from '../../components/icons';
import { useAsk } from '../../components/use-ask';
import { formatBytes } from '../../i18n/format';
import { modelStateWords } from './model-state-words';
import { AddressField, KeyField, WindowField } from './provider-fields';
import { ProviderStateWords } from './provider-state';

/** One provider: who, where, how it is, and when opened what can be changed about it. */
export function ProviderCard({ provider, opened }: { readonly provider: Provider; readonly opened: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(opened);
  const { ask, problem } = useAsk();
  return (
    <section className="prov" aria-labelledby={id}>
      <header>
        <Icon of={provider.remote ? IconRemote : provider.kind === 'embedded' ? IconEmbedded : IconServer} />
        <h2 id={id}>{provider.name}</h2>
        <span className={provider.remote ? 'tag out' : 'tag'}>{place()}</span>
        <span className="grow" />
        <ProviderStateWords provider={provider} />
        <Button onClick={() => void ask(() => request('providers.test', { providerId: provider.id }))}>
          {t('settings.providers.test')}
        </Button>
        <IconButton
          icon={open ? IconUp : IconDown}
          label={t(open ? 'settings.providers.close' : 'settings.providers.open', { name: provider.name })}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </header>
      {problem && (
        <div className="prov-problem">
          <ErrorLine error={problem} />
        </div>
      )}
      {open && (
        <div className="prov-body">
          {provider.address !== null && <AddressField provider={provider} />}
          {provider.kind === 'openai' && <KeyField provider={provider} />}
          {provider.kind !== 'openai' && <WindowField provider={provider} />}
          <FormRow label={t('settings.providers.models')}>
            <ProviderModels provider={provider} />
          </FormRow>
          {provider.origin === 'user' && (
            <div className="prov-foot">
              <Button
                look="danger"
                onClick={() => void ask(() => request('providers.remove', { providerId: provider.id }))}
              >
                {t('settings.providers.remove')}
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  );

  function place(): string {
    if (provider.kind === 'embedded') return '';
    return provider.remote ? t('settings.providers.remote') : t('settings.providers.thisComputer');
  }
}

function ProviderModels({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation();
  if (provider.models.length === 0) return <p className="form-none">{t('settings.providers.noModels')}</p>;
  return (
    <ul className="models num">
      {provider.models.map((model) => (
        <li key={model.model}>
          <span className={model.state === 'loaded' ? 'dot' : 'dot ring'} />
          <span className="grow cut">{model.name}</span>
          <span className="models-state">{modelStateWords(t, model)}</span>
          <span className="models-size">{model.bytes !== null && formatBytes(model.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}
