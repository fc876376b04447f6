import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../../components/markdown/markdown';
import { useSession } from '../../stores/session-store';
import { QuickNotice } from './quick-notice';
import type { QuickTurn } from './quick-turns';

/** Pixels from the end within which the reader counts as being there. */
const NEAR_END = 24;

export interface QuickAnswersProps {
  readonly turns: readonly QuickTurn[];
  readonly contentRef: RefObject<HTMLDivElement | null>;
}

/** Questions and answers of this summons. The newest question stands in the head, so it is not repeated here. */
export function QuickAnswers({ turns, contentRef }: QuickAnswersProps) {
  const { t } = useTranslation();
  const outbox = useSession((state) => state.outbox);
  const scroller = useFollow(turns.length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow and page keys scroll what has the focus
    <section ref={scroller} className="quick-answers" aria-label={t('quickChat.answer')} tabIndex={0}>
      <div ref={contentRef}>
        {turns.map((turn, index) => (
          <article key={turn.question.id} className="quick-turn">
            {index < turns.length - 1 && <p className="quick-ask">{turn.question.text}</p>}
            {turn.answers.map((answer) => {
              const grows = answer.status === 'streaming';
              return (
                <div key={answer.id} className={grows ? 'prose is-growing' : 'prose'} aria-busy={grows}>
                  <Markdown text={answer.text} grows={grows} />
                </div>
              );
            })}
          </article>
        ))}
        <QuickNotice />
        {outbox.map((item) => (
          <p key={item.id} className="quick-ask is-waiting">
            {item.text}
          </p>
        ))}
      </div>
    </section>
  );
}

/** Keeps the end in sight while the reader is there, and goes there with each new question. */
function useFollow(questions: number): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    atEnd.current = true;
  }, [questions]);
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const looked = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END;
    };
    const grew = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', looked, { passive: true });
    grew.observe(content);
    return () => {
      element.removeEventListener('scroll', looked);
      grew.disconnect();
    };
  }, []);
  return scroller;
}
