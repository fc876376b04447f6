import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { Icon } from '../../components/icon';
import { IconOffline, IconRefused } from '../../components/icons';
import { formatBytes, formatClock } from '../../i18n/format';
import { useNow } from '../../stores/clock';

/** True where a server refused the key, so that the error belongs to the key's field. */
export function isKeyRefused(provider: Provider): boolean {
  const { state } = provider;
  if (state.kind !== 'refused' || state.code !== 'refused-by-server') return false;
  return state.fields.status === 401 || state.fields.status === 403;
}

/** What a provider is, in words, at the right end of its head. Test replaces them in place. */
export function ProviderStateWords({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation();
  const { state } = provider;
  const nextTryAt = state.kind === 'offline' ? state.nextTryAt : null;
  const now = useNow(nextTryAt !== null);
  switch (state.kind) {
    case 'asking':
      return (
        <span className="stt" role="status">
          <span className="dot ring" />
          {t('settings.providers.state.asking')}
        </span>
      );
    case 'ready':
      return (
        <span className="stt" role="status">
          <span className={provider.models.some((model) => model.state === 'loaded') ? 'dot' : 'dot ring'} />
          {readyWords(t, provider, state.answeredInMs)}
        </span>
      );
    case 'offline':
      return (
        <span className="stt">
          <Icon of={IconOffline} size={14} className="warn" />
          {nextTryAt !== null && nextTryAt > now
            ? t('settings.providers.state.offlineNext', { time: formatClock(nextTryAt - now) })
            : t('settings.providers.state.offline')}
        </span>
      );
    case 'refused':
      return (
        <span className="stt bad" role="status">
          <Icon of={IconRefused} size={14} />
          {isKeyRefused(provider) ? t('settings.providers.state.keyRefused') : t('settings.providers.state.refused')}
        </span>
      );
  }
}

function readyWords(t: TFunction, provider: Provider, ms: number | null): string {
  if (provider.kind === 'embedded') {
    const bytes = provider.models.reduce((sum, model) => sum + (model.bytes ?? 0), 0);
    return bytes > 0
      ? t('settings.providers.state.readySize', { size: formatBytes(bytes) })
      : t('settings.providers.state.ready');
  }
  if (provider.models.length > 0 && provider.models.every((model) => model.state === 'not-loaded')) {
    return t('settings.providers.state.noneLoaded');
  }
  return ms === null ? t('settings.providers.state.answersNoTime') : t('settings.providers.state.answers', { ms });
}
