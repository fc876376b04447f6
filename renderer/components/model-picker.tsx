import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelRef, SessionId } from '../../shared/model/ids';
import type { Provider } from '../../shared/model/provider';
import { useApp } from '../stores/app-store';
import { Button } from './button';
import { Dialog } from './dialog';
import { Icon } from './icon';
import { IconDown } from './icons';
import { Menu } from './menu';
import { ModelMark } from './model-mark';
import { ModelMenu } from './model-menu';
import { modelLook, refName } from './model-words';
import { agree, hasAgreed } from './remote-consent';
import './model-picker.css';

export interface ModelPickerProps {
  readonly model: ModelRef | null;
  /** The session it is chosen for; null = one that begins with the next message. */
  readonly sessionId: SessionId | null;
  /** Tokens of the next request; null = not counted. */
  readonly needTokens: number | null;
  /** Shows the state instead of the served window. */
  readonly brief?: boolean;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onChoose: (ref: ModelRef) => void;
  readonly onSettings: (() => void) | null;
}

/** The model of a session. The first time its text would leave this computer it asks, naming the service. */
export function ModelPicker({
  model,
  sessionId,
  needTokens,
  brief = false,
  open,
  onOpenChange,
  onChoose,
  onSettings,
}: ModelPickerProps) {
  const { t } = useTranslation();
  const providers = useApp((state) => state.providers);
  const [asked, setAsked] = useState<{ readonly ref: ModelRef; readonly provider: Provider } | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const provider = providers.find((each) => each.id === model?.providerId);
  const known = provider?.models.find((each) => each.model === model?.model);
  const look = provider ? modelLook(t, provider, known, brief) : null;
  const name = known?.name ?? (model ? refName(model) : t('composer.picker.choose'));
  const state = look?.words ?? (model ? t('composer.picker.gone') : '');

  function choose(ref: ModelRef, of: Provider): void {
    const stays = ref.providerId === model?.providerId;
    if (!of.remote || stays || hasAgreed(sessionId, of.id)) onChoose(ref);
    else setAsked({ ref, provider: of });
  }

  return (
    <>
      <Menu
        side="top"
        align="end"
        className="model-menu"
        open={open}
        onOpenChange={onOpenChange}
        offsets={open ? clearOfDock(trigger.current) : { side: 4, align: 0 }}
        trigger={
          <button
            ref={trigger}
            type="button"
            className="picker"
            aria-label={model ? t('composer.picker.label', { name, state }) : t('composer.picker.choose')}
          >
            {look && <ModelMark mark={look.mark} />}
            <span className="cut">{name}</span>
            {state && <span className="t3">{state}</span>}
            <Icon of={IconDown} className="picker-more" />
          </button>
        }
      >
        <ModelMenu
          providers={providers}
          chosen={model}
          needTokens={needTokens}
          onChoose={choose}
          onSettings={onSettings}
        />
      </Menu>
      {asked && (
        <Dialog
          title={t('composer.picker.remote.title', { name: asked.provider.name })}
          description={t('composer.picker.remote.body', { address: asked.provider.address ?? asked.provider.name })}
          onClose={() => setAsked(null)}
          foot={
            <>
              <Button big onClick={() => setAsked(null)}>
                {t('composer.picker.remote.cancel')}
              </Button>
              <Button
                big
                look="primary"
                onClick={() => {
                  agree(sessionId, asked.provider.id);
                  onChoose(asked.ref);
                  setAsked(null);
                }}
              >
                {t('composer.picker.remote.confirm', { name: asked.provider.name })}
              </Button>
            </>
          }
        />
      )}
    </>
  );
}

/** Space between the menu and the dock's upper edge, and from the dock's side, in CSS pixels. */
const ABOVE_DOCK = 4;
const IN_DOCK = 8;

/** The menu stands above the whole dock, at its inner right edge, so that it hides no notice and no text. */
function clearOfDock(trigger: HTMLElement | null): { readonly side: number; readonly align: number } {
  const dock = trigger?.closest('.dock')?.getBoundingClientRect();
  const own = trigger?.getBoundingClientRect();
  if (!dock || !own) return { side: ABOVE_DOCK, align: 0 };
  return { side: own.top - dock.top + ABOVE_DOCK, align: own.right - dock.right + IN_DOCK };
}
