import { type RefObject, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '../../../shared/model/message';
import { Icon } from '../../components/icon';
import { IconPin } from '../../components/icons';
import { messageAt } from '../../stores/message-window';
import { pin } from '../../stores/pin-actions';
import { sessionStore } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { type SourceRange, sourceRange } from './source-range';

interface Offer {
  readonly message: Message;
  readonly range: SourceRange;
  /** Middle and top edge of the button, in CSS pixels from the corner of what scrolls. */
  readonly left: number;
  readonly top: number;
}

/** CSS pixels between the selection and the button, the button's height, and half the width that is kept for it. */
const GAP = 6;
const HEIGHT = 32;
const HALF = 80;

/** Offers to pin the words that are selected in one message. The button stands at the end of the selection. */
export function SelectionPin({ scroller }: { readonly scroller: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const [offer, setOffer] = useState<Offer | null>(null);
  const look = useCallback(() => setOffer(scroller.current ? offerFor(scroller.current) : null), [scroller]);

  useEffect(() => {
    const element = scroller.current;
    // while the mouse still selects, the button would stand in its way
    const changed = () => {
      if (document.getSelection()?.isCollapsed ?? true) setOffer(null);
    };
    document.addEventListener('selectionchange', changed);
    document.addEventListener('pointerup', look);
    document.addEventListener('keyup', look);
    window.addEventListener('resize', look);
    element?.addEventListener('scroll', look);
    return () => {
      document.removeEventListener('selectionchange', changed);
      document.removeEventListener('pointerup', look);
      document.removeEventListener('keyup', look);
      window.removeEventListener('resize', look);
      element?.removeEventListener('scroll', look);
    };
  }, [scroller, look]);

  if (!offer) return null;
  return (
    <button
      type="button"
      className="menu selection-pin"
      style={{ left: offer.left, top: offer.top }}
      // the selection must outlive the press
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        void told(pin(offer.message, offer.range));
        document.getSelection()?.removeAllRanges();
        setOffer(null);
      }}
    >
      <Icon of={IconPin} />
      {t('transcript.pin.selection')}
    </button>
  );
}

/** null = nothing is selected in a message, or in several, or what it is in the text cannot be told. */
function offerFor(scroller: HTMLElement): Offer | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const words = wordsAround(range.startContainer);
  if (!words?.contains(range.endContainer) || !scroller.contains(words)) return null;
  const { window, branchId } = sessionStore.getState();
  const seq = Number(words.closest<HTMLElement>('[data-seq]')?.dataset.seq);
  const message = messageAt(window, seq);
  if (!message || branchId === null || message.status === 'streaming') return null;
  const before = document.createRange();
  before.setStart(words, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const source = sourceRange(message.text, selection.toString(), before.toString());
  const end = [...range.getClientRects()].at(-1);
  const room = scroller.getBoundingClientRect();
  if (!source || !end || end.bottom < room.top || end.bottom > room.bottom) return null;
  const below = end.bottom + GAP;
  const top = below + HEIGHT > room.bottom ? end.top - GAP - HEIGHT : below;
  const left = Math.max(HALF, Math.min(room.width - HALF, end.right - room.left));
  return { message, range: source, left, top: top - room.top };
}

/** The element that shows a message's words: a user's block, or an answer. */
function wordsAround(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('.user, .prose') ?? null;
}
