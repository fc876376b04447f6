import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors';
import type { SearchHit } from '../../../shared/model/session';
import { asAppError, request } from '../../bridge/request';
import { appStore } from '../../stores/app-store';

/** Hits that are asked for at once. */
export const SEARCH_LIMIT = 100;
/** Milliseconds of rest after a key, or after chats went or came, before main is asked. */
const REST_MS = 120;

export type SearchState =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly query: string; readonly hits: readonly SearchHit[] }
  | { readonly kind: 'failed'; readonly error: AppError };

/**
 * Searches all messages while one types, and again when chats went or came: what they leave goes to the next best hits.
 * An answer to an older query is dropped.
 */
export function useSearch(query: string): SearchState {
  const [state, setState] = useState<SearchState>({ kind: 'none' });
  useEffect(() => {
    const words = query.trim();
    if (words === '') {
      setState({ kind: 'none' });
      return;
    }
    let current = true;
    // Hits of the query before stay until the next ones are here: nothing jumps between two keys.
    setState((before) => (before.kind === 'found' ? before : { kind: 'searching' }));
    const ask = () => {
      request('sessions.search', { query: words, sessionId: null, limit: SEARCH_LIMIT }).then(
        (hits) => current && setState({ kind: 'found', query: words, hits }),
        (thrown: unknown) => current && setState({ kind: 'failed', error: asAppError(thrown) }),
      );
    };
    let timer = setTimeout(ask, REST_MS);
    const unsubscribe = appStore.subscribe((now, before) => {
      if (now.order.length === before.order.length) return;
      clearTimeout(timer);
      timer = setTimeout(ask, REST_MS);
    });
    return () => {
      current = false;
      unsubscribe();
      clearTimeout(timer);
    };
  }, [query]);
  return state;
}
