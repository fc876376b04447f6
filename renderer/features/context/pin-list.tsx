import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Pin } from '../../../shared/model/pin';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconPin, IconUnpin } from '../../components/icons';
import { Tip } from '../../components/tooltip';
import { formatTokens } from '../../i18n/format';
import { jumpStore } from '../../stores/jump-store';
import { useLayout } from '../../stores/layout-store';
import { unpin } from '../../stores/pin-actions';
import { useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';

/** Everything that is pinned on this path, with its price; the prices add up to the part. */
export function PinList() {
  const { t } = useTranslation();
  const pins = useSession((state) => state.pins);
  const part = useSession((state) => state.context?.parts.pins ?? null);
  const wanted = useLayout((state) => state.pinsFocus);
  const region = useRef<HTMLElement>(null);
  // Who came here to unpin begins at the first pin.
  useEffect(() => {
    if (wanted > 0) region.current?.querySelector<HTMLElement>('button')?.focus();
  }, [wanted]);
  return (
    <section ref={region} aria-label={t('context.pins.title')}>
      <h3>
        {t('context.pins.title')}
        {pins.length > 0 && part !== null && <span className="num">{formatTokens(part)}</span>}
      </h3>
      {pins.length === 0 ? (
        <p className="panel-why">{t('context.pins.none')}</p>
      ) : (
        <ul className="pins">
          {pins.map((pin) => (
            <PinRow key={pin.id} pin={pin} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PinRow({ pin }: { readonly pin: Pin }) {
  const { t } = useTranslation();
  const price = useSession((state) => state.context?.pins.find((one) => one.id === pin.id) ?? null);
  return (
    <li>
      <button
        type="button"
        className="pin-go"
        aria-label={t('context.pins.go', { seq: pin.seq, words: pin.words })}
        onClick={() => jumpStore.getState().messageWanted(pin.seq, null)}
      >
        <Icon of={IconPin} />
        <span className="grow cut">{pin.words}</span>
      </button>
      {price &&
        (price.covered ? (
          <span className="num">{formatTokens(price.tokens)}</span>
        ) : (
          <Tip text={t('context.pins.later', { tokens: price.tokens })}>
            <span className="pin-later">{t('context.pins.inTail')}</span>
          </Tip>
        ))}
      <IconButton
        small
        icon={IconUnpin}
        label={t('context.pins.remove', { seq: pin.seq })}
        onClick={() => void told(unpin([pin]))}
      />
    </li>
  );
}
