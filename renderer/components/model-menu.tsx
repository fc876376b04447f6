import { DropdownMenu } from 'radix-ui';
import { Fragment, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelRef } from '../../shared/model/ids';
import type { Model, Provider } from '../../shared/model/provider';
import { Icon } from './icon';
import { IconDone } from './icons';
import { MenuItem, MenuLabel, MenuLine } from './menu';
import { ModelMark } from './model-mark';
import { fitOf, isSameModel, modelLook, providerGroup } from './model-words';

export interface ModelMenuProps {
  readonly providers: readonly Provider[];
  readonly chosen: ModelRef | null;
  /** Tokens of the next request; null = not counted. */
  readonly needTokens: number | null;
  readonly onChoose: (ref: ModelRef, provider: Provider) => void;
  /** Leads to the settings of models; null = there are none in this window. */
  readonly onSettings: (() => void) | null;
}

/** All models by provider; before one chooses, it says whether the next request fits. */
export function ModelMenu({ providers, chosen, needTokens, onChoose, onSettings }: ModelMenuProps) {
  const { t } = useTranslation();
  const noteId = useId();
  const [shown, setShown] = useState<ModelRef | null>(chosen);
  const withModels = providers.filter((provider) => provider.models.length > 0);
  return (
    <>
      {withModels.map((provider, index) => (
        <Fragment key={provider.id}>
          {index > 0 && <MenuLine />}
          <MenuLabel>{providerGroup(t, provider)}</MenuLabel>
          <DropdownMenu.RadioGroup value={keyOf(chosen)}>
            {provider.models.map((model) => {
              const ref = { providerId: provider.id, model: model.model };
              return (
                <DropdownMenu.RadioItem
                  key={model.model}
                  value={keyOf(ref)}
                  className={isSameModel(ref, chosen) ? 'menu-item model-item is-chosen' : 'menu-item model-item'}
                  aria-describedby={noteId}
                  onFocus={() => setShown(ref)}
                  onSelect={() => onChoose(ref, provider)}
                >
                  <Choice provider={provider} model={model} needTokens={needTokens} />
                </DropdownMenu.RadioItem>
              );
            })}
          </DropdownMenu.RadioGroup>
        </Fragment>
      ))}
      {withModels.length === 0 && <MenuLabel>{t('composer.picker.empty')}</MenuLabel>}
      <MenuLine />
      {withModels.length > 0 && <Note id={noteId} providers={providers} shown={shown} needTokens={needTokens} />}
      {onSettings && <MenuItem onSelect={onSettings}>{t('composer.picker.more')}</MenuItem>}
    </>
  );
}

function keyOf(ref: ModelRef | null): string {
  return ref === null ? '' : `${ref.providerId}\n${ref.model}`;
}

interface ChoiceProps {
  readonly provider: Provider;
  readonly model: Model;
  readonly needTokens: number | null;
}

function Choice({ provider, model, needTokens }: ChoiceProps) {
  const { t } = useTranslation();
  const look = modelLook(t, provider, model, false);
  const small = look.usable && fitOf(model, needTokens) === 'small';
  const words = small ? t('composer.picker.tooSmall', { tokens: model.served ?? 0 }) : look.words;
  return (
    <>
      <span className="model-mark">
        <ModelMark mark={look.mark} />
      </span>
      <span className={look.usable ? 'grow cut' : 'grow cut t3'}>{model.name}</span>
      <DropdownMenu.ItemIndicator>
        <Icon of={IconDone} size={14} />
      </DropdownMenu.ItemIndicator>
      <span className="t3 num">{look.mark === 'away' ? t('composer.picker.notAnswering') : words}</span>
    </>
  );
}

/** One sentence about the model under the pointer or the keys. It keeps its room, so that nothing moves. */
function Note({
  id,
  providers,
  shown,
  needTokens,
}: {
  /** What the items are described by. */
  readonly id: string;
  readonly providers: readonly Provider[];
  readonly shown: ModelRef | null;
  readonly needTokens: number | null;
}) {
  const { t } = useTranslation();
  return (
    <div id={id} className="model-note" role="none">
      {words()}
    </div>
  );

  function words(): string {
    const provider = providers.find((each) => each.id === shown?.providerId);
    const model = provider?.models.find((each) => each.model === shown?.model);
    if (!provider || !model) return '';
    if (!modelLook(t, provider, model, true).usable) return t('composer.picker.away');
    switch (fitOf(model, needTokens)) {
      case 'fits':
        return t('composer.picker.fits', { tokens: needTokens ?? 0 });
      case 'small':
        return t('composer.picker.small', { tokens: needTokens ?? 0 });
      case 'unknown':
        return model.served === null ? t('composer.picker.fitsUnknown') : '';
    }
  }
}
