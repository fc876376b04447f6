import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelRef } from '../../../shared/model/ids';
import type { Model, Provider } from '../../../shared/model/provider';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import type { Ask } from '../../components/use-ask';
import { formatBytes } from '../../i18n/format';
import { modelStateWords } from './model-state-words';

export interface ModelLineProps {
  readonly provider: Provider;
  readonly model: Model;
  readonly ask: Ask['ask'];
}

/** One model: its state, and for those inside the app load, unload and the way out. */
export function ModelLine({ provider, model, ask }: ModelLineProps) {
  const { t } = useTranslation();
  const ref = { providerId: provider.id, model: model.model };
  const embedded = provider.kind === 'embedded';
  const hint = model.practice
    ? t('settings.models.practiceHint')
    : model.canSummarize
      ? null
      : t('settings.models.noSummaries');
  return (
    <li className="model-line">
      <span className={model.state === 'loaded' ? 'dot' : 'dot ring'} />
      <div className="grow">
        <p className="medium cut">{model.name}</p>
        {hint && <p className="setting-hint">{hint}</p>}
        {!embedded && <p className="setting-hint">{provider.name}</p>}
      </div>
      <span className="t3 num">{modelStateWords(t, model)}</span>
      <span className="t3 num models-size">{model.bytes !== null && formatBytes(model.bytes)}</span>
      {embedded && (
        <>
          {model.state === 'loaded' ? (
            <Button onClick={() => void ask(() => request('models.unload', ref))}>{t('settings.models.unload')}</Button>
          ) : (
            <Button disabled={model.state === 'loading'} onClick={() => void ask(() => request('models.load', ref))}>
              {t('settings.models.load')}
            </Button>
          )}
          {!model.practice && <Removal model={model} modelRef={ref} ask={ask} />}
        </>
      )}
    </li>
  );
}

/** A file of the user's own is only taken off the list; one that the app downloaded is deleted, after a question. */
function Removal({
  model,
  modelRef,
  ask,
}: {
  readonly model: Model;
  readonly modelRef: ModelRef;
  readonly ask: ModelLineProps['ask'];
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const remove = () => void ask(() => request('models.remove', modelRef));
  if (!model.downloaded) {
    return (
      <Button look="quiet" onClick={remove}>
        {t('settings.models.remove')}
      </Button>
    );
  }
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {t('settings.models.delete')}
      </Button>
      {asking && (
        <Dialog
          title={t('getModel.confirm.removeTitle', { name: model.name })}
          description={t('getModel.confirm.removeText', { size: formatBytes(model.bytes ?? 0) })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button big onClick={() => setAsking(false)}>
                {t('app.cancel')}
              </Button>
              <Button
                big
                look="danger"
                onClick={() => {
                  setAsking(false);
                  remove();
                }}
              >
                {t('getModel.confirm.remove')}
              </Button>
            </>
          }
        />
      )}
    </>
  );
}
