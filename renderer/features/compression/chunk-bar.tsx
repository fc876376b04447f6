import { useTranslation } from 'react-i18next';
import { segments } from './bar-progress';

export interface ChunkBarProps {
  /** Share of the whole bar, 0 to 1. */
  readonly share: number;
  readonly chunks: number;
}

/** One segment for each part. */
export function ChunkBar({ share, chunks }: ChunkBarProps) {
  const { t } = useTranslation();
  const fills = segments(share, chunks);
  const done = fills.filter((fill) => fill === 1).length;
  return (
    <div
      className="chunks"
      role="progressbar"
      aria-label={t('compression.bar')}
      aria-valuemin={0}
      aria-valuemax={fills.length}
      aria-valuenow={done}
    >
      {fills.map((fill, index) => (
        <span key={index} className="chunk" data-fill={fill}>
          <span className="chunk-fill" style={{ transform: `scaleX(${fill})` }} />
        </span>
      ))}
    </div>
  );
}
