import './set-window.css';
import { RadioGroup } from 'radix-ui';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContextUse } from '../../../shared/model/context';
import type { ModelRef } from '../../../shared/model/ids';
import type { Model, Provider } from '../../../shared/model/provider';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { ErrorLine } from '../../components/error-line';
import type { WindowChange } from '../../components/models/window-change';
import { useAsk } from '../../components/use-ask';
import { formatMemory } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { type WindowChoice, windowChoices } from './window-choices';

export interface SetWindowProps {
  readonly modelRef: ModelRef;
  readonly provider: Provider;
  readonly model: Model;
  readonly change: WindowChange;
  readonly use: ContextUse;
  readonly onClose: () => void;
}

/** Least window that can be asked for: the contract's. Tokens. */
const LEAST = 256;

/** Another window for one model, each with the memory that it needs; where the server says nothing, a number. */
export function SetWindow({ modelRef, provider, model, change, use, onClose }: SetWindowProps) {
  const { t } = useTranslation();
  const form = useId();
  const { ask, problem } = useAsk();
  const memoryBytes = useApp((state) => state.memoryBytes);
  const now = model.chosenWindow ?? use.window;
  const [tokens, setTokens] = useState(now);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (tokens === null || tokens < LEAST) return;
    if (await ask(() => request('models.setWindow', { ...modelRef, tokens }))) onClose();
  };
  const enters = change === 'enter';
  return (
    <Dialog
      title={t('context.window.title', { name: model.name })}
      description={t(enters ? 'context.window.textEnter' : 'context.window.text')}
      onClose={onClose}
      foot={
        <>
          <Button big onClick={onClose}>
            {t('app.cancel')}
          </Button>
          <Button big look="primary" type="submit" form={form} disabled={tokens === null || tokens < LEAST}>
            {t('context.window.use')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void save(event)}>
        {enters ? (
          <NumberField tokens={tokens} onChange={setTokens} />
        ) : (
          <Choices
            choices={windowChoices(provider, model, now, memoryBytes)}
            tokens={tokens}
            memoryBytes={memoryBytes}
            onChoose={setTokens}
          />
        )}
        {problem && <ErrorLine error={problem} />}
      </form>
    </Dialog>
  );
}

function NumberField({
  tokens,
  onChange,
}: {
  readonly tokens: number | null;
  readonly onChange: (tokens: number | null) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="form-line">
      <label htmlFor={id}>{t('context.window.tokens')}</label>
      <input
        id={id}
        className="input w96 num"
        inputMode="numeric"
        value={tokens ?? ''}
        onChange={(event) => onChange(Number(event.target.value.replace(/\D/g, '')) || null)}
      />
    </div>
  );
}

interface ChoicesProps {
  readonly choices: readonly WindowChoice[];
  readonly tokens: number | null;
  readonly memoryBytes: number;
  readonly onChoose: (tokens: number) => void;
}

function Choices({ choices, tokens, memoryBytes, onChoose }: ChoicesProps) {
  const { t } = useTranslation();
  return (
    <RadioGroup.Root
      className="windows"
      aria-label={t('context.window.choices')}
      value={String(tokens)}
      onValueChange={(value) => onChoose(Number(value))}
    >
      {choices.map((choice) => (
        <RadioGroup.Item key={choice.tokens} className="window-choice" value={String(choice.tokens)}>
          <span className="radio" />
          <span className="num">{t('context.window.size', { tokens: choice.tokens })}</span>
          <span className="grow" />
          <span className="t3 num">{memoryWords(choice)}</span>
          {choice.fit && <b className={`fit is-${choice.fit}`}>{t(`getModel.fit.${choice.fit}`)}</b>}
        </RadioGroup.Item>
      ))}
      <p className="windows-note">{t('context.window.note', { memory: formatMemory(memoryBytes) })}</p>
    </RadioGroup.Root>
  );

  function memoryWords({ needsBytes }: WindowChoice): string {
    return needsBytes === null
      ? t('context.window.memoryUnknown')
      : t('context.window.memory', { size: formatMemory(needsBytes) });
  }
}
