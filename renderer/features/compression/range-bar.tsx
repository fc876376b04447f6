import type { TFunction } from 'i18next';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RangePreview } from '../../../shared/model/compression';
import { asAppError, request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { useAsk } from '../../components/use-ask';
import { jumpStore } from '../../stores/jump-store';
import { type MessageRange, rangeStore, useRange } from '../../stores/range-store';
import { sessionStore, useSession } from '../../stores/session-store';
import { allStrategies } from './card-acts';
import './range-bar.css';

/** Milliseconds of rest before what is typed is counted. */
const REST_MS = 150;

/** Over the dock while a range is chosen: its ends, what covering it would gain, and the button that does it. */
export function RangeBar() {
  const chosen = useRange((state) => state.chosen);
  const opened = useSession((state) => state.opened);
  // A range is of the path it was chosen on.
  useEffect(() => () => rangeStore.getState().choiceEnded(), [opened]);
  return chosen && <Choice chosen={chosen} />;
}

function Choice({ chosen }: { readonly chosen: MessageRange }) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const lastSeq = useSession((state) => state.lastSeq);
  const running = useSession((state) => state.attempt !== null && state.attempt.outcome === null);
  const { preview, refused } = usePreview(chosen);
  const { rangeChosen, choiceEnded } = rangeStore.getState();
  const failed = problem ?? refused;
  const compress = () => {
    const { sessionId, branchId } = sessionStore.getState();
    if (sessionId === null || branchId === null) return;
    const start = { sessionId, branchId, strategies: [...allStrategies], range: chosen };
    void ask(() => request('compression.start', start)).then((done) => done && choiceEnded());
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    choiceEnded();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="range-bar" aria-label={t('compression.range.label')} onKeyDown={keyed}>
      <div className="range-row">
        <h2>{t('compression.range.title')}</h2>
        <End
          label={t('compression.range.from')}
          value={chosen.from}
          most={lastSeq}
          begins
          onChange={(from) => rangeChosen({ from, to: Math.max(from, chosen.to) })}
        />
        <End
          label={t('compression.range.to')}
          value={chosen.to}
          most={lastSeq}
          onChange={(to) => rangeChosen({ from: Math.min(chosen.from, to), to })}
        />
      </div>
      <div className="range-row">
        <p role="status" className="grow">
          {preview ? previewWords(t, preview, chosen) : t('compression.range.counting')}
        </p>
        <Button onClick={choiceEnded}>{t('compression.range.cancel')}</Button>
        <Button look="primary" disabled={running || preview?.kind !== 'range'} onClick={compress}>
          {t('compression.range.compress')}
        </Button>
      </div>
      {failed && <ErrorLine error={failed} />}
    </section>
  );
}

interface EndProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly begins?: boolean;
  readonly onChange: (seq: number) => void;
}

/** The number of a message. What is typed counts once it names one; the transcript goes there when it is left. */
function End({ label, value, most, begins = false, onChange }: EndProps) {
  const [typed, setTyped] = useState(String(value));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(String(value)), [value]);
  useEffect(() => {
    if (!begins) return;
    field.current?.focus();
    field.current?.select();
  }, [begins]);
  return (
    <label>
      {label}
      <input
        ref={field}
        className="input num"
        type="number"
        min={1}
        max={most}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          const seq = Number(event.target.value);
          if (Number.isInteger(seq) && seq >= 1 && seq <= most) onChange(seq);
        }}
        onKeyDown={(event) => event.key === 'Enter' && jumpStore.getState().messageWanted(value, null)}
        onBlur={() => setTyped(String(value))}
      />
    </label>
  );
}

/** Asked anew for each choice; what was counted last stays meanwhile, so that nothing flickers. */
function usePreview({ from, to }: MessageRange) {
  const [preview, setPreview] = useState<RangePreview | null>(null);
  const [refused, setRefused] = useState<ReturnType<typeof asAppError> | null>(null);
  const summaries = useSession((state) => state.summaries);
  const lastSeq = useSession((state) => state.lastSeq);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      const { sessionId, branchId } = sessionStore.getState();
      if (sessionId === null || branchId === null) return;
      request('compression.previewRange', { sessionId, branchId, range: { from, to } }).then(
        (answer) => {
          if (!wanted) return;
          setPreview(answer);
          setRefused(null);
          rangeStore.getState().wholeFound(answer.kind === 'range' ? { from: answer.from, to: answer.to } : null);
        },
        (error: unknown) => wanted && setRefused(asAppError(error)),
      );
    }, REST_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [from, to, summaries, lastSeq]);
  return { preview, refused };
}

function previewWords(t: TFunction, preview: RangePreview, chosen: MessageRange): string {
  if (preview.kind === 'nothing') return t(`compression.range.nothing.${preview.reason}`);
  const { from, to, tokensNow: now, tokensAfter: after } = preview;
  const gain = t('compression.range.gain', { now, after });
  if (from === chosen.from && to === chosen.to) return gain;
  return `${t('compression.range.widened', { from, to })} ${gain}`;
}
