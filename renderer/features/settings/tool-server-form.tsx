import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EnteredTransport, isVariableName, type ToolServer } from '../../../shared/model/tools';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { ErrorLine } from '../../components/error-line';
import { FormRow } from '../../components/form-row';
import { Select } from '../../components/select';
import { useAsk } from '../../components/use-ask';
import { argumentsIn, isOneForMany, typedArguments } from './tool-arguments';
import { type TypedVariable, VariableFields } from './variable-fields';

export interface ToolServerFormProps {
  /** null = a new one. */
  readonly server: ToolServer | null;
  readonly onClose: () => void;
}

/** Adds a tool server or changes one. Secrets are never shown: what is left empty stays as it is stored. */
export function ToolServerForm({ server, onClose }: ToolServerFormProps) {
  const { t } = useTranslation();
  const form = useId();
  const stdio = server?.transport.kind === 'stdio' ? server.transport : null;
  const http = server?.transport.kind === 'http' ? server.transport : null;
  const [kind, setKind] = useState<'stdio' | 'http'>(http ? 'http' : 'stdio');
  const [name, setName] = useState(server?.name ?? '');
  const [command, setCommand] = useState(stdio?.command ?? '');
  const [args, setArgs] = useState(typedArguments(stdio?.args ?? []));
  const [variables, setVariables] = useState<readonly TypedVariable[]>(
    stdio?.variables.map((known) => ({ name: known, value: '', stored: true })) ?? [],
  );
  const [url, setUrl] = useState(http?.url ?? 'https://');
  const [token, setToken] = useState('');
  const { ask, problem } = useAsk();
  const mode = server ? 'edit' : 'add';

  const goodUrl = /^https?:\/\/[^/]/.test(url.trim()) && URL.canParse(url.trim());
  const goodVariables = variables.every((one) => isVariableName(one.name));
  const good = name.trim() !== '' && (kind === 'http' ? goodUrl : command.trim() !== '' && goodVariables);
  const entered = (): EnteredTransport =>
    kind === 'http'
      ? { kind, url: url.trim(), token: token.trim() === '' && http ? null : token.trim() }
      : {
          kind,
          command: command.trim(),
          args: [...argumentsIn(args)],
          variables: variables.map((one) => ({
            name: one.name,
            value: one.value === '' && one.stored ? null : one.value,
          })),
        };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!good) return;
    let went = false;
    await ask(async () => {
      const given = { name: name.trim(), transport: entered() };
      went = await (server
        ? request('tools.changeServer', { serverId: server.id, ...given })
        : request('tools.addServer', given));
    });
    if (went) onClose();
  };

  return (
    <Dialog
      title={t(`tools.form.${mode}`)}
      description={t('tools.form.description')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="primary" type="submit" form={form} disabled={!good}>
            {t(`tools.form.submit.${mode}`)}
          </Button>
        </>
      }
    >
      <form id={form} className="tool-form" onSubmit={(event) => void submit(event)}>
        <FormRow label={t('tools.form.kind')}>
          <Select
            label={t('tools.form.kind')}
            width={160}
            value={kind}
            options={(['stdio', 'http'] as const).map((value) => ({ value, label: t(`tools.form.kinds.${value}`) }))}
            onChange={setKind}
          />
        </FormRow>
        <FormRow label={t('tools.form.name')} htmlFor={`${form}-name`}>
          <input
            id={`${form}-name`}
            className="input"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </FormRow>
        {kind === 'stdio' ? (
          <>
            <FormRow label={t('tools.form.command')} htmlFor={`${form}-command`}>
              <input
                id={`${form}-command`}
                className="input mono"
                spellCheck={false}
                value={command}
                onChange={(event) => setCommand(event.target.value)}
              />
              <p className="form-hint">{t('tools.form.commandHint')}</p>
            </FormRow>
            <FormRow label={t('tools.form.args')} htmlFor={`${form}-args`}>
              <textarea
                id={`${form}-args`}
                className="input mono lines-field"
                rows={Math.min(8, Math.max(3, args.split('\n').length))}
                spellCheck={false}
                value={args}
                onChange={(event) => setArgs(event.target.value)}
              />
              <p className={isOneForMany(args) ? 'form-hint warn' : 'form-hint'}>
                {t(isOneForMany(args) ? 'tools.form.argsOneForMany' : 'tools.form.argsHint')}
              </p>
            </FormRow>
            <FormRow label={t('tools.form.variables')}>
              <VariableFields variables={variables} onChange={setVariables} />
            </FormRow>
          </>
        ) : (
          <>
            <FormRow label={t('tools.form.url')} htmlFor={`${form}-url`}>
              <input
                id={`${form}-url`}
                className="input mono"
                spellCheck={false}
                value={url}
                onChange={(event) => setUrl(event.target.value)}
              />
              {goodUrl || url.length <= 8 ? (
                <p className="form-hint">{t('tools.form.urlHint')}</p>
              ) : (
                <p className="err">{t('tools.form.badUrl')}</p>
              )}
            </FormRow>
            <FormRow label={t('tools.form.token')} htmlFor={`${form}-token`}>
              <input
                id={`${form}-token`}
                className="input mono"
                type="password"
                autoComplete="off"
                placeholder={http?.hasToken ? t('tools.form.valueKept') : ''}
                value={token}
                onChange={(event) => setToken(event.target.value)}
              />
              <p className="form-hint">{t('tools.form.tokenHint')}</p>
            </FormRow>
          </>
        )}
      </form>
      {problem && <ErrorLine error={problem} />}
    </Dialog>
  );
}
