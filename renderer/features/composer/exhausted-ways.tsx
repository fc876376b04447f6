import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PinPrice } from '../../../shared/model/pin';
import { Icon } from '../../components/icon';
import { IconCut, IconNewChat, IconUnpin, IconWider } from '../../components/icons';
import { layoutStore } from '../../stores/layout-store';
import { useSession } from '../../stores/session-store';
import { shorterTail } from './notice-acts';
import type { NoticeAct } from './notice-words';

const none: readonly PinPrice[] = [];

/** The ways on from a request that cannot be sent: equal boxes, the cheapest first. Never one that is taken by itself. */
export function ExhaustedWays({ onAct }: { readonly onAct: (act: NoticeAct) => void }) {
  const { t } = useTranslation();
  const keepTurns = useSession((state) => state.keepTurns);
  const pins = useSession((state) => state.context?.pins) ?? none;
  const summary = useSession((state) => state.context?.parts.summary) ?? 0;
  return (
    <section className="ways" aria-label={t('composer.notices.exhausted.ways')}>
      <Way
        icon={IconWider}
        name={t('composer.notices.exhausted.model')}
        hint={t('composer.notices.exhausted.modelHint')}
        onClick={() => onAct('choose-model')}
      />
      {keepTurns > 0 && (
        <Way
          icon={IconCut}
          name={t('composer.notices.exhausted.tail')}
          hint={t('composer.notices.exhausted.tailHint', {
            count: keepTurns,
            from: keepTurns,
            to: shorterTail(keepTurns),
          })}
          onClick={() => onAct('shorter-tail')}
        />
      )}
      {pins.length > 0 && (
        <Way
          icon={IconUnpin}
          name={t('composer.notices.exhausted.unpin')}
          hint={t('composer.notices.exhausted.unpinHint', {
            count: pins.length,
            tokens: pins.reduce((sum, one) => sum + one.tokens, 0),
          })}
          onClick={layoutStore.getState().pinsWanted}
        />
      )}
      <Way
        icon={IconNewChat}
        name={t('composer.notices.exhausted.carryOn')}
        hint={
          summary > 0
            ? t('composer.notices.exhausted.carryOnHint', { tokens: summary })
            : t('composer.notices.exhausted.carryOnAlone')
        }
        onClick={() => onAct('carry-on')}
      />
    </section>
  );
}

interface WayProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly hint: string;
  readonly onClick: () => void;
}

function Way({ icon, name, hint, onClick }: WayProps) {
  return (
    <button type="button" className="way" onClick={onClick}>
      <Icon of={icon} />
      <span>
        <b>{name}</b>
        <small>{hint}</small>
      </span>
    </button>
  );
}
