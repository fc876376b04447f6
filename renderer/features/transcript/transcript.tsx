import './transcript.css';
import { type ComponentType, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Summary } from '../../../shared/model/compression';
import { Icon } from '../../components/icon';
import { IconDown, IconUp } from '../../components/icons';
import { foldOver } from '../../stores/covered';
import { jumpStore, useJump } from '../../stores/jump-store';
import { messageAt } from '../../stores/message-window';
import { rangeShown } from '../../stores/page-loader';
import { sessionStore, useSession } from '../../stores/session-store';
import { useEdit } from './edit-store';
import { MessageRow } from './message-row';
import { useEnd } from './use-end';
import { WaitingLine } from './waiting-line';

/** Milliseconds of rest before pages are read while the reader drags through a long session. */
const REST_MS = 40;
/** Milliseconds for which a message that was jumped to is tinted. */
const TINT_MS = 1_200;

/** What other features put into the transcript. The components must be stable: they are mounted in every row. */
export interface TranscriptProps {
  /** Follows the message with this number: the fold that ends there. */
  readonly After: ComponentType<{ readonly seq: number }>;
  /** The line of the fold one reads above, while it is below the screen. */
  readonly StickyFold: ComponentType<{ readonly summary: Summary; readonly onGo: () => void }>;
  /** Stands after the last message: the compression card. */
  readonly End: ComponentType;
}

/** The open session, from its first message to its last, whatever their number: only what is on screen is mounted. */
export function Transcript(props: TranscriptProps) {
  const opened = useSession((state) => state.opened);
  return <Path key={opened} {...props} />;
}

function Path({ After, StickyFold, End }: TranscriptProps) {
  const { t } = useTranslation();
  const lastSeq = useSession((state) => state.lastSeq);
  const held = useSession((state) => state.window);
  const editing = useEdit((state) => state.seq);
  const jump = useJump();
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const rest = useRef<ReturnType<typeof setTimeout> | null>(null);
  const { toEnd, scrolled, letGo } = useEnd(scroller, content);
  const [below, setBelow] = useState(0);
  const [sticky, setSticky] = useState<Summary | null>(null);

  /** Looks at what is on screen: reads its pages, counts what lies below, finds the fold it lies under. */
  const look = useCallback(() => {
    const element = scroller.current;
    const handle = list.current;
    if (!element || !handle) return;
    const last = sessionStore.getState().lastSeq;
    const from = handle.findItemIndex(element.scrollTop) + 1;
    const to = Math.min(last, handle.findItemIndex(element.scrollTop + element.clientHeight) + 1);
    setBelow(scrolled() ? 0 : Math.max(1, last - to));
    const fold = foldOver(sessionStore.getState().summaries, from);
    setSticky(fold && fold.coversTo > to ? fold : null);
    if (rest.current !== null) clearTimeout(rest.current);
    rest.current = setTimeout(() => rangeShown(from, to), REST_MS);
  }, [scrolled]);

  const goTo = useCallback(
    (seq: number, align: 'center' | 'start') => {
      letGo();
      list.current?.scrollToIndex(seq - 1, { align });
    },
    [letGo],
  );

  useLayoutEffect(() => {
    list.current?.scrollToIndex(sessionStore.getState().lastSeq, { align: 'end' });
    toEnd();
  }, [toEnd]);
  useEffect(() => () => void (rest.current !== null && clearTimeout(rest.current)), []);
  // A page that came, or a view that was taken again, may leave holes on screen.
  useEffect(() => {
    if (held) look();
  }, [held, look]);
  useOwnMessage(lastSeq, toEnd);

  useEffect(() => {
    if (!jump) return;
    goTo(jump.seq, 'center');
    if (jump.backTo !== null) return;
    const timer = setTimeout(() => jumpStore.getState().arrived(), TINT_MS);
    return () => clearTimeout(timer);
  }, [jump, goTo]);

  return (
    <div className="reading">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow and page keys scroll what has the focus */}
      <section ref={scroller} className="scroll" aria-label={t('transcript.label')} tabIndex={0} onScroll={look}>
        <div ref={content} className="flow">
          <Virtualizer
            ref={list}
            scrollRef={scroller}
            data={{ length: lastSeq + 1 }}
            itemSize={120}
            keepMounted={editing === null ? [] : [editing - 1]}
            onScroll={look}
          >
            {(_: unknown, index: number) =>
              index === lastSeq ? (
                <div key="end" className="col row-end">
                  <WaitingLine />
                  <End />
                </div>
              ) : (
                // What is opened by hand (a fold, long code) is read where it is.
                <div key={index + 1} className="col" onClickCapture={letGoAtButtons}>
                  <MessageRow seq={index + 1} After={After} />
                </div>
              )
            }
          </Virtualizer>
        </div>
      </section>
      {sticky && (
        <div className="sticky-fold">
          <StickyFold summary={sticky} onGo={() => goTo(sticky.coversTo, 'center')} />
        </div>
      )}
      {jump?.backTo != null && (
        <button
          type="button"
          className="jump back"
          onClick={() => {
            goTo(jump.backTo ?? jump.seq, 'center');
            jumpStore.getState().arrived();
          }}
        >
          <Icon of={IconUp} />
          {t('transcript.backToSummary')}
        </button>
      )}
      {below > 0 && (
        <button
          type="button"
          className="jump"
          aria-label={t('transcript.toEnd', { count: below })}
          onClick={() => {
            list.current?.scrollToIndex(lastSeq, { align: 'end' });
            toEnd();
          }}
        >
          <Icon of={IconDown} />
          {t('transcript.below', { count: below })}
        </button>
      )}
    </div>
  );

  function letGoAtButtons(event: { target: EventTarget }) {
    if (event.target instanceof Element && event.target.closest('button[aria-expanded]')) letGo();
  }
}

/** Goes to the end when a message of the user's own was sent just now; not when a waiting one leaves by itself. */
function useOwnMessage(lastSeq: number, toEnd: () => void): void {
  const outbox = useSession((state) => state.outbox);
  const waited = useRef(new Set<string>());
  const known = useRef(lastSeq);
  for (const item of outbox) waited.current.add(item.id);
  useEffect(() => {
    if (lastSeq <= known.current) return;
    const message = messageAt(sessionStore.getState().window, lastSeq);
    known.current = lastSeq;
    if (message?.role === 'user' && !waited.current.has(message.id)) toEnd();
  }, [lastSeq, toEnd]);
}
