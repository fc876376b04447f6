import { useTranslation } from 'react-i18next';
import { isVariableName } from '../../../shared/model/tools';
import { Button } from '../../components/button';
import { IconButton } from '../../components/icon-button';
import { IconClose, IconPlus } from '../../components/icons';

export interface TypedVariable {
  readonly name: string;
  /** '' and `stored`: as it is stored. */
  readonly value: string;
  readonly stored: boolean;
}

/** Names and values of variables. A value that is stored is not shown; one that is typed takes its place. */
export function VariableFields({
  variables,
  onChange,
}: {
  readonly variables: readonly TypedVariable[];
  readonly onChange: (variables: readonly TypedVariable[]) => void;
}) {
  const { t } = useTranslation();
  const change = (at: number, to: Partial<TypedVariable>) =>
    onChange(variables.map((one, index) => (index === at ? { ...one, ...to } : one)));
  return (
    <>
      {variables.map((one, at) => (
        <div key={at} className="form-line">
          <input
            className={one.name !== '' && !isVariableName(one.name) ? 'input mono name is-bad' : 'input mono name'}
            placeholder={t('tools.form.name')}
            aria-label={t('tools.form.variableName', { at: at + 1 })}
            spellCheck={false}
            value={one.name}
            onChange={(event) => change(at, { name: event.target.value, stored: false })}
          />
          <input
            className="input mono grow"
            type="password"
            autoComplete="off"
            aria-label={t('tools.form.variableValue', { at: at + 1 })}
            placeholder={t(one.stored ? 'tools.form.valueKept' : 'tools.form.value')}
            value={one.value}
            onChange={(event) => change(at, { value: event.target.value })}
          />
          <IconButton
            icon={IconClose}
            label={t('tools.form.removeVariable', { at: at + 1 })}
            onClick={() => onChange(variables.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      {variables.some(({ name }) => name !== '' && !isVariableName(name)) && (
        <p className="err">{t('tools.form.badVariable')}</p>
      )}
      <div className="form-line">
        <Button icon={IconPlus} onClick={() => onChange([...variables, { name: '', value: '', stored: false }])}>
          {t('tools.form.addVariable')}
        </Button>
      </div>
      <p className="form-hint">{t('tools.form.variablesHint')}</p>
    </>
  );
}
