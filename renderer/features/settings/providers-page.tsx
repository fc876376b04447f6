import { useTranslation } from 'react-i18next';
import { useApp } from '../../stores/app-store';
import { ProviderCard } from './provider-card';

export function ProvidersPage() {
  const { t } = useTranslation();
  const providers = useApp((state) => state.providers);
  return (
    <>
      <p className="intro">{t('settings.providers.intro')}</p>
      {providers.map((provider, at) => (
        <ProviderCard key={provider.id} provider={provider} opened={at === 0 || provider.state.kind === 'refused'} />
      ))}
    </>
  );
}
