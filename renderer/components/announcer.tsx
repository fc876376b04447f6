import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attempt } from '../../shared/model/compression';
import type { ToolQuestion } from '../../shared/model/tools';
import type { Turn } from '../../shared/model/turn';
import { useSession } from '../stores/session-store';

/** Milliseconds between two announcements; what happens in between gives way to what is true at its end. */
export const QUIET_MS = 7_000;

/** Says the newest of a row of sentences, at most one every 7 seconds. */
export function useQuietly(sentence: string): string {
  const [said, setSaid] = useState('');
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (sentence === '') return;
    const wait = Math.max(0, last.current + QUIET_MS - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      setSaid(sentence);
    }, wait);
    return () => clearTimeout(timer);
  }, [sentence]);
  return said;
}

/** The status region: start, change of phase and end of answers and compressions, calls that wait; never the text itself. */
export function Announcer() {
  const { t } = useTranslation();
  const turn = useSession((state) => state.turn);
  const attempt = useSession((state) => state.attempt);
  const opened = useSession((state) => state.opened);
  const question = useSession((state) => state.toolQuestion);
  // what waits for the user goes before what runs by itself
  const about = questionSentence(t, question) || attemptSentence(t, attempt) || turnSentence(t, turn);
  // What was already so when the chat was opened is not news.
  const old = useRef({ opened: -1, sentence: '' });
  if (old.current.opened !== opened) old.current = { opened, sentence: about };
  const news = about === old.current.sentence ? '' : about;
  const said = useQuietly(news);
  return (
    <div className="sr" role="status" aria-live="polite">
      {said}
    </div>
  );
}

function questionSentence(t: TFunction, question: ToolQuestion | null): string {
  return question ? t('app.said.asks', { server: question.server, tool: question.tool }) : '';
}

function turnSentence(t: TFunction, turn: Turn | null): string {
  switch (turn?.state) {
    case undefined:
    case 'queued':
    case 'preparing':
    case 'compressing':
    case 'requesting':
    case 'tools':
      return '';
    case 'streaming':
      return t('app.said.answering');
    case 'completed':
      return t('app.said.answered');
    case 'stopped':
      return t('app.said.stopped');
    // Each of these has its notice, which says it with the reason.
    case 'interrupted':
    case 'deferred':
    case 'exhausted':
    case 'failed':
      return '';
  }
}

function attemptSentence(t: TFunction, attempt: Attempt | null): string {
  if (!attempt) return '';
  if (attempt.outcome) {
    return t(attempt.outcome.kind === 'committed' ? 'app.said.compressed' : 'app.said.notCompressed');
  }
  switch (attempt.phase) {
    case 'waiting':
    case 'connecting':
    case 'loading':
      return t('app.said.compressing');
    case 'reading':
      return t('app.said.reading', { part: Math.min(attempt.chunks, attempt.chunksDone + 1), parts: attempt.chunks });
    case 'writing':
    case 'checking':
      return t(`app.said.${attempt.phase}`);
    case 'saving':
    case 'stopping':
    case 'ended':
      return '';
  }
}
