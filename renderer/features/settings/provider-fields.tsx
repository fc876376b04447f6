import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { FormRow } from '../../components/form-row';
import { useAsk } from '../../components/use-ask';
import { formatTokens } from '../../i18n/format';
import { isKeyRefused } from './provider-state';

/** The address. An error stands under the field it is about. */
export function AddressField({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(provider.address ?? '');
  const { ask, problem } = useAsk();
  const stored = provider.address ?? '';
  useEffect(() => setTyped(stored), [stored]);
  const changed = typed.trim() !== stored;
  const good = URL.canParse(typed.trim()) && /^https?:/.test(typed.trim());
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!changed || !good) return;
    void ask(() => request('providers.change', { providerId: provider.id, address: typed.trim() }));
  };
  const { state } = provider;
  return (
    <FormRow label={t('settings.providers.address')} htmlFor={id}>
      <form className="form-line" onSubmit={save}>
        <input
          id={id}
          className={problem || state.kind === 'offline' ? 'input mono grow is-bad' : 'input mono grow'}
          value={typed}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        {changed && (
          <Button big type="submit" disabled={!good}>
            {t('settings.providers.save')}
          </Button>
        )}
      </form>
      {problem && <ErrorLine error={problem} />}
      {!problem && state.kind === 'offline' && (
        <p className="err">{t('settings.providers.offlineDetail', { address: stored })}</p>
      )}
      {!problem && state.kind === 'refused' && !isKeyRefused(provider) && <ErrorLine error={state} />}
    </FormRow>
  );
}

/** The key: never shown, only replaced. */
export function KeyField({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation();
  const id = useId();
  const [replacing, setReplacing] = useState(false);
  const [typed, setTyped] = useState('');
  const { ask, problem } = useAsk();
  const { state } = provider;
  const refused = isKeyRefused(provider);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const key = typed.trim();
    if (key === '') return;
    const went = await ask(() => request('providers.change', { providerId: provider.id, key }));
    if (!went) return;
    setTyped('');
    setReplacing(false);
  };
  return (
    <FormRow label={t('settings.providers.key')} {...(replacing ? { htmlFor: id } : {})}>
      {replacing ? (
        <form className="form-line" onSubmit={(event) => void save(event)}>
          <input
            id={id}
            className="input mono grow"
            type="password"
            autoComplete="off"
            placeholder={t('settings.providers.keyField')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button big type="submit" disabled={typed.trim() === ''}>
            {t('settings.providers.save')}
          </Button>
          <Button big look="quiet" onClick={() => setReplacing(false)}>
            {t('app.cancel')}
          </Button>
        </form>
      ) : (
        <div className="form-line">
          <span className={refused ? 'input mono grow is-bad' : 'input mono grow'}>
            {provider.hasKey ? '••••••••••••••••••••' : <span className="t3">{t('settings.providers.keyNone')}</span>}
          </span>
          <Button big onClick={() => setReplacing(true)}>
            {provider.hasKey ? t('settings.providers.replace') : t('settings.providers.addKey')}
          </Button>
        </div>
      )}
      {problem && <ErrorLine error={problem} />}
      {!problem && refused && state.kind === 'refused' && (
        <p className="err" role="alert">
          {t('settings.providers.keyRefusedDetail', {
            status: state.fields.status ?? '',
            message: state.fields.message ?? '',
          })}
        </p>
      )}
    </FormRow>
  );
}

/** The context window asked for, where the server lets one ask. */
export function WindowField({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation();
  const id = useId();
  const stored = provider.askWindow === null ? '' : formatTokens(provider.askWindow);
  const [typed, setTyped] = useState(stored);
  const { ask, problem } = useAsk();
  useEffect(() => setTyped(stored), [stored]);
  const could = provider.models.find((model) => model.state === 'loaded' && model.trained !== null);
  const save = () => {
    const tokens = Number(typed.replace(/\D/g, ''));
    if (typed === stored) return;
    if (tokens < 256) {
      setTyped(stored);
      return;
    }
    void ask(() => request('providers.change', { providerId: provider.id, askWindow: tokens }));
  };
  return (
    <FormRow label={t('settings.providers.window')} htmlFor={id}>
      <div className="form-line">
        <input
          id={id}
          className="input w96 num"
          inputMode="numeric"
          placeholder={t('settings.providers.windowDefault')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => event.key === 'Enter' && save()}
        />
        <span className="form-hint">
          {could
            ? t('settings.providers.windowCould', { model: could.name, trained: could.trained ?? 0 })
            : t('settings.providers.windowHint')}
        </span>
      </div>
      {problem && <ErrorLine error={problem} />}
    </FormRow>
  );
}
