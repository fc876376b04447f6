import type { TFunction } from 'i18next';
import type { CatalogueRow, Download, DownloadFailure } from '../../../shared/model/download';
import { formatBytes, formatClock, formatSpeed } from '../../i18n/format';

/** The plain sentence for a download that ended without its file: what happened, and what to do next. */
export function failureWords(t: TFunction, why: DownloadFailure): string {
  if (why.kind === 'no-space') {
    const { needBytes, freeBytes } = why;
    return t('getModel.why.no-space', { needBytes: formatBytes(needBytes), freeBytes: formatBytes(freeBytes) });
  }
  const { kind, ...fields } = why;
  return t(`getModel.why.${kind}` as 'getModel.why.cut', fields);
}

/** True where a reason says only what happened: what it lacks is that it may pass. */
function mayPass({ kind }: DownloadFailure): boolean {
  return ['stalled', 'cut', 'server-busy', 'died'].includes(kind);
}

/** What a download does now, in words. `now` in wall-clock milliseconds, for the countdown. */
export function downloadWords(t: TFunction, download: Exclude<Download, { state: 'done' }>, now: number): string {
  if (download.state === 'asking') return t('getModel.state.asking');
  const done = formatBytes(download.done);
  if (download.state === 'failed') {
    const again = mayPass(download.why) ? t('getModel.again') : '';
    const kept = download.done > 0 ? t('getModel.state.kept', { done }) : '';
    return [failureWords(t, download.why), again, kept].filter(Boolean).join(' ');
  }
  const of = formatBytes(download.of);
  switch (download.state) {
    case 'checking':
      return t('getModel.state.checking', { done, of });
    case 'running':
      return runningWords(t, download);
    case 'paused':
      return t('getModel.state.paused', { done, of });
    case 'waiting': {
      const why = failureWords(t, download.why);
      const time = formatClock(download.retryAt - now);
      return download.done > 0
        ? t('getModel.state.waiting', { why, time, done, of })
        : t('getModel.state.waitingNothing', { why, time });
    }
  }
}

function runningWords(t: TFunction, { done, of, bytesPerSecond }: Extract<Download, { state: 'running' }>): string {
  const sizes = { done: formatBytes(done), of: formatBytes(of) };
  if (bytesPerSecond === null) return t(done > 0 ? 'getModel.state.runningNoSpeed' : 'getModel.state.starting', sizes);
  if (bytesPerSecond < 1) return t('getModel.state.runningNoSpeed', sizes);
  const left = formatClock(((of - done) / bytesPerSecond) * 1_000);
  return t('getModel.state.running', { ...sizes, speed: formatSpeed(bytesPerSecond), left });
}

/** One sentence for those who listen: begin, each quarter, and every end. Empty = nothing to say. */
export function saidOf(t: TFunction, { name, download }: CatalogueRow): string {
  switch (download?.state) {
    case undefined:
    case 'asking':
    case 'checking':
      return '';
    case 'running': {
      const quarter = Math.min(75, Math.floor((download.done / download.of) * 4) * 25); // its end is told as such
      return quarter > 0 ? t('getModel.said.part', { name, percent: quarter }) : t('getModel.said.begun', { name });
    }
    case 'waiting':
      return t('getModel.said.waiting', { name, why: failureWords(t, download.why) });
    case 'paused':
      return t('getModel.said.paused', { name });
    case 'failed':
      return t('getModel.said.failed', { name, why: failureWords(t, download.why) });
    case 'done':
      return t('getModel.said.done', { name });
  }
}
