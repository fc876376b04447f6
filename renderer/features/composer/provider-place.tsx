import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { Icon } from '../../components/icon';
import { IconOffline } from '../../components/icons';

/** Where the answers of this session come from, at the left of the status line. */
export function ProviderPlace({ provider }: { readonly provider: Provider | undefined }) {
  const { t } = useTranslation();
  if (!provider) {
    return (
      <>
        <span className="dot ring" />
        <span className="cut">{t('composer.place.none')}</span>
      </>
    );
  }
  const { name } = provider;
  switch (provider.state.kind) {
    case 'offline':
      return (
        <>
          <Icon of={IconOffline} size={14} className="warn" />
          <span className="t2 cut">{t('composer.place.offline', { name })}</span>
        </>
      );
    case 'refused':
      return (
        <>
          <Icon of={IconOffline} size={14} className="warn" />
          <span className="t2 cut">{t('composer.place.refused', { name })}</span>
        </>
      );
    case 'asking':
      return (
        <>
          <span className="dot acc" />
          <span className="cut">{t('composer.place.asking', { name })}</span>
        </>
      );
    case 'ready':
      return (
        <>
          <span className="dot" />
          <span className="cut">
            {provider.kind === 'embedded'
              ? t('composer.place.embedded')
              : t(provider.remote ? 'composer.place.remote' : 'composer.place.local', { name })}
          </span>
        </>
      );
  }
}
