import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { ErrorLine } from '../../components/error-line';
import { FormRow } from '../../components/form-row';
import { Select } from '../../components/select';
import { useAsk } from '../../components/use-ask';

type Kind = 'openai' | 'ollama';
const usual: Readonly<Record<Kind, string>> = { openai: 'https://', ollama: 'http://127.0.0.1:11434' };

/** Adds a server by its address. What main refuses stands above the buttons, and what was typed stays. */
export function AddProvider({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const [kind, setKind] = useState<Kind>('openai');
  const [name, setName] = useState('');
  const [address, setAddress] = useState(usual.openai);
  const [key, setKey] = useState('');
  const { ask, problem } = useAsk();
  const good = /^https?:\/\/[^/]/.test(address.trim()) && URL.canParse(address.trim());
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!good) return;
    const server = address.trim();
    const went = await ask(() =>
      request('providers.add', {
        kind,
        name: name.trim() || new URL(server).host,
        address: server,
        key: key.trim() === '' ? null : key.trim(),
      }),
    );
    if (went) onClose();
  };
  return (
    <Dialog
      title={t('settings.addProvider.title')}
      description={t('settings.addProvider.description')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="primary" type="submit" form={form} disabled={!good}>
            {t('settings.addProvider.add')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void add(event)}>
        <FormRow label={t('settings.addProvider.kind')}>
          <Select
            label={t('settings.addProvider.kind')}
            width={192}
            value={kind}
            options={(['openai', 'ollama'] as const).map((value) => ({
              value,
              label: t(`settings.addProvider.kinds.${value}`),
            }))}
            onChange={(next) => {
              setKind(next);
              if (address === usual[kind]) setAddress(usual[next]);
            }}
          />
        </FormRow>
        <FormRow label={t('settings.addProvider.address')} htmlFor={`${form}-address`}>
          <input
            id={`${form}-address`}
            className="input mono"
            value={address}
            spellCheck={false}
            onChange={(event) => setAddress(event.target.value)}
          />
          {!good && address !== usual[kind] && address.length > 8 && (
            <p className="err">{t('settings.addProvider.badAddress')}</p>
          )}
        </FormRow>
        <FormRow label={t('settings.addProvider.name')} htmlFor={`${form}-name`}>
          <input
            id={`${form}-name`}
            className="input"
            value={name}
            placeholder={good ? new URL(address.trim()).host : ''}
            onChange={(event) => setName(event.target.value)}
          />
        </FormRow>
        {kind === 'openai' && (
          <FormRow label={t('settings.addProvider.key')} htmlFor={`${form}-key`}>
            <input
              id={`${form}-key`}
              className="input mono"
              type="password"
              autoComplete="off"
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
            <p className="form-hint">{t('settings.addProvider.keyHint')}</p>
          </FormRow>
        )}
      </form>
      {problem && <ErrorLine error={problem} />}
    </Dialog>
  );
}
