import './edges.css';
import './transcript.css';
import './pins.css';
import './files.css';
import { type ComponentType, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Summary } from '../../../shared/model/compression';
import { Icon } from '../../components/icon';
import { IconDown, IconUp } from '../../components/icons';
import { foldOver } from '../../stores/covered';
import { type Jump, jumpStore, useJump } from '../../stores/jump-store';
import { noRange, rangeScrolled, readAround } from '../../stores/page-loader';
import { sessionStore, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { useEdit } from './edit-store';
import { MessageRow } from './message-row';
import { SelectionPin } from './selection-pin';
import { useKeptPlace } from './use-kept-place';
import { WaitingLine } from './waiting-line';

/** Milliseconds for which a message that was jumped to is tinted. */
const TINT_MS = 1_200;

/** What other features put into the transcript. The components must be stable: they are mounted in every row. */
export interface TranscriptProps {
  /** Follows the message with this number: the fold that ends there. */
  readonly After: ComponentType<{ readonly seq: number }>;
  /** The line of the fold one reads above, while it is below the screen. */
  readonly StickyFold: ComponentType<{ readonly summary: Summary }>;
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
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { keep, apply, scrolled, isAtEnd } = useKeptPlace(scroller, content);
  const [below, setBelow] = useState(0);
  const [sticky, setSticky] = useState<Summary | null>(null);
  /** The place that was jumped to: its row is mounted, so that it can be brought into view whatever it measures. */
  const [goal, setGoal] = useState<Jump | null>(null);
  const [backTo, setBackTo] = useState<number | null>(null);

  /** Looks at what is on screen: reads its pages, counts what lies below, finds the fold it lies under. */
  const look = useCallback(() => {
    const element = scroller.current;
    const handle = list.current;
    if (!element || !handle) return;
    const last = sessionStore.getState().lastSeq;
    const from = handle.findItemIndex(element.scrollTop) + 1;
    const to = Math.min(last, handle.findItemIndex(element.scrollTop + element.clientHeight) + 1);
    setBelow(isAtEnd() ? 0 : Math.max(1, last - to));
    const fold = foldOver(sessionStore.getState().summaries, from);
    setSticky(fold && fold.coversTo > to ? fold : null);
    rangeScrolled(from, to);
  }, [isAtEnd]);

  const toEnd = useCallback(() => {
    setGoal(null);
    keep({ place: 'end' });
  }, [keep]);
  const goTo = useCallback(
    (jump: Jump) => {
      setGoal(jump);
      setBackTo(jump.backTo);
      keep({ place: jump.place, seq: jump.seq });
    },
    [keep],
  );

  // Not by the list's own way, which goes there again while rows are measured, against a reader who has left.
  useLayoutEffect(toEnd, [toEnd]);
  // A goal far away is mounted only now.
  useLayoutEffect(() => {
    if (goal) apply();
  }, [goal, apply]);
  useEffect(() => noRange, []);
  // A page that came, or a view that was taken again, may leave holes on screen.
  useEffect(() => {
    if (held) look();
  }, [held, look]);
  // What is edited is looked at where it is.
  useEffect(() => {
    if (editing !== null) keep(null);
  }, [editing, keep]);
  useWishes(goTo, toEnd);

  return (
    <div className="reading">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow and page keys scroll what has the focus */}
      <section ref={scroller} className="scroll" aria-label={t('transcript.label')} tabIndex={0} onScroll={onScroll}>
        <div ref={content} className="flow">
          <Virtualizer
            ref={list}
            scrollRef={scroller}
            data={{ length: lastSeq + 1 }}
            itemSize={120}
            keepMounted={[editing, goal?.seq].flatMap((seq) => (seq == null ? [] : seq - 1))}
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
      <SelectionPin scroller={scroller} />
      {sticky && (
        <div className="sticky-fold">
          <StickyFold summary={sticky} />
        </div>
      )}
      <div className="jumps">
        {backTo !== null && (
          <button type="button" className="jump" onClick={() => jumpStore.getState().foldWanted(backTo)}>
            <Icon of={backTo > (goal?.seq ?? 0) ? IconDown : IconUp} />
            {t('transcript.backToSummary')}
          </button>
        )}
        {below > 0 && (
          <button
            type="button"
            className="jump"
            aria-label={t('transcript.toEnd', { count: below })}
            onClick={jumpStore.getState().endWanted}
          >
            <Icon of={IconDown} />
            {t('transcript.below', { count: below })}
          </button>
        )}
      </div>
    </div>
  );

  function onScroll() {
    scrolled();
    look();
  }

  function letGoAtButtons(event: { target: EventTarget }) {
    if (event.target instanceof Element && event.target.closest('button[aria-expanded]')) keep(null);
  }
}

/** Goes where the reader asked to be: a place once its messages are here, so that no blank page is shown before. */
function useWishes(goTo: (jump: Jump) => void, toEnd: () => void): void {
  const jump = useJump((state) => state.jump);
  const found = useJump((state) => state.found);
  const ends = useJump((state) => state.ends);
  const ended = useRef(ends);
  useEffect(() => {
    if (ends === ended.current) return;
    ended.current = ends;
    toEnd();
  }, [ends, toEnd]);
  useEffect(() => {
    if (!jump || jump.sessionId !== sessionStore.getState().sessionId) return;
    let wanted = true;
    void told(readAround(jump.seq)).then(() => {
      if (!wanted) return;
      goTo(jump);
      jumpStore.getState().arrived(jump);
    });
    return () => {
      wanted = false;
    };
  }, [jump, goTo]);
  useEffect(() => {
    if (found === null) return;
    const { foundShown } = jumpStore.getState();
    const timer = setTimeout(foundShown, TINT_MS);
    return () => {
      clearTimeout(timer);
      // A tint that was cut short by another page is not made up for later.
      if (jumpStore.getState().found === found) foundShown();
    };
  }, [found]);
}
