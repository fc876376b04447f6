import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueRow } from '../../../shared/model/download';
import type { ModelRef } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { formatBillions, formatBytes, formatMemory } from '../../i18n/format';
import { appStore } from '../../stores/app-store';
import { useNow } from '../../stores/clock';
import { newChat } from '../../stores/open-session';
import { Button } from '../button';
import { ErrorLine } from '../error-line';
import { Icon } from '../icon';
import { IconSuccess } from '../icons';
import { type Ask, useAsk } from '../use-ask';
import { AboutFile } from './about-file';
import { CancelDownload } from './cancel-download';
import { DownloadBar } from './download-bar';
import { downloadWords } from './download-words';

/** One model that can be had: what it is, whether it has room here, and how its download goes. */
export function CatalogueLine({ row }: { readonly row: CatalogueRow }) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const { download, name } = row;
  const now = useNow(download?.state === 'waiting');
  const sized = download && 'of' in download && download.of !== null ? { done: download.done, of: download.of } : null;
  return (
    <li className="dl">
      <div className="dl-head">
        <div className="grow">
          <p className="medium">{name}</p>
          <p className="dl-note">
            {t('getModel.facts', {
              billions: formatBillions(row.parameters),
              licence: row.licence,
              size: row.bytes === null ? t('getModel.sizeAsked') : formatBytes(row.bytes),
            })}
          </p>
          <Need row={row} />
        </div>
        <AboutFile row={row} />
        <Buttons row={row} ask={ask} />
      </div>
      {sized && download?.state !== 'done' && sized.done > 0 && (
        <DownloadBar name={name} {...sized} still={download?.state !== 'running' && download?.state !== 'checking'} />
      )}
      {download && download.state !== 'done' && (
        <p className={download.state === 'failed' ? 'err' : 'dl-note'}>{downloadWords(t, download, now)}</p>
      )}
      {problem && <ErrorLine error={problem} />}
    </li>
  );
}

function Need({ row }: { readonly row: CatalogueRow }) {
  const { t } = useTranslation();
  if (row.needsBytes === null || row.fit === null) return <p className="dl-note">{t('getModel.needsLater')}</p>;
  return (
    <p className="dl-note">
      {t('getModel.needs', { need: formatMemory(row.needsBytes) })}{' '}
      <b className={`fit is-${row.fit}`}>{t(`getModel.fit.${row.fit}`)}</b>
    </p>
  );
}

/** A new chat with that model, and the caret in its field. */
async function chatWith(model: ModelRef): Promise<void> {
  await newChat();
  const { currentId } = appStore.getState();
  if (currentId !== null) await request('sessions.chooseModel', { sessionId: currentId, model });
}

interface ButtonsProps {
  readonly row: CatalogueRow;
  readonly ask: Ask['ask'];
}

function Buttons({ row, ask }: ButtonsProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { id, name, download } = row;
  const begin = () => void ask(() => request('models.download', { id }));
  const act = (word: 'download' | 'resume' | 'retry') => (
    <Button onClick={begin} aria-label={t(`getModel.${word}One`, { name })}>
      {t(`getModel.${word}`)}
    </Button>
  );
  const cancel = (
    <Button look="quiet" onClick={() => setAsking(true)} aria-label={t('getModel.cancelOne', { name })}>
      {t('getModel.cancel')}
    </Button>
  );
  const confirm = asking && download && download.state !== 'done' && (
    <CancelDownload row={row} ask={ask} onClose={() => setAsking(false)} />
  );
  switch (download?.state) {
    case undefined:
      return act('download');
    case 'done':
      return (
        <>
          <span className="dl-here">
            <Icon of={IconSuccess} size={14} />
            {t('getModel.here')}
          </span>
          <Button onClick={() => void ask(() => chatWith(download.model))}>{t('getModel.chat')}</Button>
        </>
      );
    case 'paused':
      return (
        <>
          {act('resume')}
          {cancel}
          {confirm}
        </>
      );
    case 'failed':
      return (
        <>
          {act('retry')}
          {download.done > 0 && cancel}
          {confirm}
        </>
      );
    case 'asking':
    case 'checking':
    case 'running':
    case 'waiting':
      return (
        <>
          <Button
            onClick={() => void ask(() => request('models.pauseDownload', { id }))}
            aria-label={t('getModel.pauseOne', { name })}
          >
            {t('getModel.pause')}
          </Button>
          {cancel}
          {confirm}
        </>
      );
  }
}
