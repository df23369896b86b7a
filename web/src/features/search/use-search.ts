import { nameOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { streamSearch } from '../../api/stream-search.ts';

/** What was found. */
export interface Found {
  readonly path: VirtualPath;
  readonly name: string;
  readonly isFolder: boolean;
}

export interface SearchState {
  readonly phase: 'idle' | 'searching' | 'stopped' | 'done' | 'failed';
  readonly found: readonly Found[];
  readonly error: unknown;
}

/** A search begins when nothing was typed for so long, in ms. */
const pauseMs = 250;
/** Results are shown at most this often, in ms: a thousand a second would keep the page busy. */
const showEveryMs = 100;

const nothing: SearchState = { phase: 'idle', found: [], error: null };

/**
 * Searches below `folder` for `query` while it is typed; a query without words and types finds nothing. `now` begins at
 * once, `stop` keeps what has been found.
 */
export function useSearch(
  folder: VirtualPath,
  query: string,
): SearchState & { now: () => void; stop: () => void } {
  const [shown, setShown] = useState<{ key: string; state: SearchState }>({ key: '', state: nothing });
  const running = useRef<{ begin: () => void; stop: () => void } | null>(null);
  const key = `${folder}\0${query}`;
  const isEmpty = query.trim() === '';

  useEffect(() => {
    if (isEmpty) return undefined;
    const leave = new AbortController();
    const found: Found[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (phase: SearchState['phase'], error: unknown = null): void => {
      clearTimeout(timer);
      timer = undefined;
      if (!leave.signal.aborted) setShown({ key, state: { phase, found: [...found], error } });
    };
    const begin = (): void => {
      clearTimeout(waiting);
      found.length = 0;
      running.current = {
        begin: () => undefined,
        stop: () => {
          show('stopped');
          leave.abort();
        },
      };
      show('searching');
      streamSearch(folder, query.trim(), {
        signal: leave.signal,
        onResults: (results) => {
          for (const { path, dir } of results) {
            const whole = parsePath(`${folder}/${path}`).path;
            found.push({ path: whole, name: nameOf(whole), isFolder: dir });
          }
          timer ??= setTimeout(() => show('searching'), showEveryMs);
        },
      }).then(
        () => show('done'),
        (error: unknown) => {
          // From here it can be tried again.
          if (!leave.signal.aborted) running.current = { begin, stop: () => undefined };
          show('failed', error);
        },
      );
    };
    const waiting = setTimeout(begin, pauseMs);
    running.current = { begin, stop: () => undefined };
    return () => {
      clearTimeout(waiting);
      clearTimeout(timer);
      leave.abort();
      running.current = null;
    };
  }, [folder, query, key, isEmpty]);

  const state = shown.key === key && !isEmpty ? shown.state : nothing;
  return {
    ...state,
    now: () => running.current?.begin(),
    stop: () => running.current?.stop(),
  };
}
