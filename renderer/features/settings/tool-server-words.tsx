import { useTranslation } from 'react-i18next';
import { isLoopback } from '../../../shared/loopback';
import type { ToolServer } from '../../../shared/model/tools';
import { Icon } from '../../components/icon';
import { IconRefused } from '../../components/icons';

/** True where what models write would leave this computer. */
export function isRemoteServer({ transport }: ToolServer): boolean {
  return transport.kind === 'http' && !isLoopback(new URL(transport.url));
}

/** How it is, in words, at the right end of its head. */
export function ToolServerState({ server }: { readonly server: ToolServer }) {
  const { t } = useTranslation();
  const { state, tools } = server;
  switch (state.kind) {
    case 'off':
    case 'resting':
    case 'starting':
      return (
        <span className="stt" role="status">
          <span className="dot ring" />
          {t(`tools.state.${state.kind}`)}
        </span>
      );
    case 'ready': {
      const usable = tools.filter(({ leftOut }) => leftOut === null).length;
      return (
        <span className="stt" role="status" title={state.title}>
          <span className="dot" />
          {`${t('tools.state.ready')}, ${t('tools.count', { count: usable })}`}
        </span>
      );
    }
    case 'failed':
      return (
        <span className="stt bad" role="status">
          <Icon of={IconRefused} size={14} />
          {t('tools.state.failed')}
        </span>
      );
  }
}
