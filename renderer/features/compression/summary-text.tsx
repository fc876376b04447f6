import { useTranslation } from 'react-i18next';
import type { ShownSection } from './summary-lines';

export interface SummaryTextProps {
  readonly sections: readonly ShownSection[];
  readonly onSource: (seq: number) => void;
}

/** Sections of a summary; each line with the numbers of the messages it was drawn from. */
export function SummaryText({ sections, onSource }: SummaryTextProps) {
  const { t } = useTranslation();
  return (
    <div className="sum">
      {sections.map((section) => (
        <section key={section.name}>
          <h3>{t(`compression.fold.section.${section.name}`)}</h3>
          <ul>
            {section.lines.map((line, index) => (
              <li key={index}>
                <span>{withCode(line.text)}</span>
                <span className="src">
                  {line.sources.map((seq) => (
                    <button
                      key={seq}
                      type="button"
                      aria-label={t('compression.fold.source', { seq })}
                      onClick={() => onSource(seq)}
                    >
                      {seq}
                    </button>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Text between single backticks as code; nothing else of Markdown means anything in a summary line. */
function withCode(text: string) {
  return text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece));
}
