import { useTranslation } from 'react-i18next';

export interface DownloadBarProps {
  readonly name: string;
  readonly done: number;
  readonly of: number;
  readonly still: boolean;
}

/** How much of a file is here. */
export function DownloadBar({ name, done, of, still }: DownloadBarProps) {
  const { t } = useTranslation();
  const share = of > 0 ? Math.min(1, done / of) : 0;
  return (
    <div
      className={still ? 'dl-bar is-still' : 'dl-bar'}
      role="progressbar"
      aria-label={t('getModel.bar', { name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
    >
      <span style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}
