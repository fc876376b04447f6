import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { useAsk } from '../../components/use-ask';

/** Address and key of a service, in the place where it was chosen. */
export function RemoteForm({ onAdded }: { readonly onAdded: (provider: Provider) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [address, setAddress] = useState('https://');
  const [key, setKey] = useState('');
  const { ask, problem } = useAsk();
  const good = /^https?:\/\/[^/]/.test(address.trim()) && URL.canParse(address.trim());
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!good) return;
    void ask(async () => {
      const server = address.trim();
      onAdded(
        await request('providers.add', {
          kind: 'openai',
          name: new URL(server).host,
          address: server,
          key: key.trim() === '' ? null : key.trim(),
        }),
      );
    });
  };
  return (
    <form className="remote-form" onSubmit={add}>
      <label htmlFor={`${id}-address`}>{t('settings.providers.address')}</label>
      <input
        id={`${id}-address`}
        className="input mono"
        value={address}
        spellCheck={false}
        onChange={(event) => setAddress(event.target.value)}
      />
      <label htmlFor={`${id}-key`}>{t('settings.providers.key')}</label>
      <input
        id={`${id}-key`}
        className="input mono"
        type="password"
        autoComplete="off"
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <Button big type="submit" disabled={!good}>
        {t('firstRun.startRemote')}
      </Button>
      {!good && address.trim().length > 8 && <p className="err">{t('settings.addProvider.badAddress')}</p>}
      {problem && <ErrorLine error={problem} />}
    </form>
  );
}
