import '../../components/tool.css';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecalledPassage } from '../../../shared/model/message';
import { Icon } from '../../components/icon';
import { IconDown, IconRight, IconSearch } from '../../components/icons';
import { jumpStore } from '../../stores/jump-store';

/** Under a question: which passages of covered messages went with it, with the way to them. */
export function RecalledLine({
  seq,
  passages,
}: {
  readonly seq: number;
  readonly passages: readonly RecalledPassage[];
}) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const body = useId();
  if (passages.length === 0) return null;
  return (
    <>
      <div className="recalled">
        <button type="button" className="tool" aria-expanded={open} aria-controls={body} onClick={() => setOpen(!open)}>
          <Icon of={open ? IconDown : IconRight} />
          <Icon of={IconSearch} />
          <span>{t('transcript.recalled.count', { count: passages.length })}</span>
        </button>
        {passages.map((passage) => (
          <button
            key={passage.seq}
            type="button"
            className="source"
            aria-label={t('transcript.recalled.goTo', { seq: passage.seq })}
            onClick={() => jumpStore.getState().messageWanted(passage.seq, null)}
          >
            {passage.seq}
          </button>
        ))}
      </div>
      {open && (
        <ul id={body} className="toolbox passages" aria-label={t('transcript.recalled.label', { seq })}>
          {passages.map((passage) => (
            <li key={passage.seq}>
              <span className="num">{passage.seq}</span>
              <blockquote>{passage.text}</blockquote>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
