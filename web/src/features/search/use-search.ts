import { nameOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { streamSearch } from '../../api/stream-search.ts';

/** A search result. */
export interface FoundEntry {
  readonly path: VirtualPath;
  readonly name: string;
  readonly isFolder: boolean;
}

export interface SearchState {
  readonly phase: 'idle' | 'searching' | 'stopped' | 'done' | 'failed';
  readonly results: readonly FoundEntry[];
  readonly error: unknown;
}

/** The delay after the last key press before a search starts, in ms. */
const typingDelayMs = 250;
/**
 * The shortest interval between two updates of the results, in ms; a thousand results per second would block the
 * page.
 */
const updateIntervalMs = 100;

const idleState: SearchState = { phase: 'idle', results: [], error: null };

/**
 * Searches below `folder` for `query` while it is typed; an empty query has no results. `startNow` starts the search
 * without the delay, `stop` ends it and keeps the results so far.
 */
export function useSearch(
  folder: VirtualPath,
  query: string,
): SearchState & { startNow: () => void; stop: () => void } {
  const [shown, setShown] = useState<{ key: string; state: SearchState }>({ key: '', state: idleState });
  const running = useRef<{ begin: () => void; stop: () => void } | null>(null);
  const key = `${folder}\0${query}`;
  const isEmpty = query.trim() === '';

  useEffect(() => {
    if (isEmpty) return undefined;
    const controller = new AbortController();
    const results: FoundEntry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (phase: SearchState['phase'], error: unknown = null): void => {
      clearTimeout(timer);
      timer = undefined;
      if (!controller.signal.aborted) setShown({ key, state: { phase, results: [...results], error } });
    };
    const begin = (): void => {
      clearTimeout(delay);
      results.length = 0;
      running.current = {
        begin: () => undefined,
        stop: () => {
          show('stopped');
          controller.abort();
        },
      };
      show('searching');
      streamSearch(folder, query.trim(), {
        signal: controller.signal,
        onResults: (batch) => {
          for (const { path, dir } of batch) {
            const fullPath = parsePath(`${folder}/${path}`).path;
            results.push({ path: fullPath, name: nameOf(fullPath), isFolder: dir });
          }
          timer ??= setTimeout(() => show('searching'), updateIntervalMs);
        },
      }).then(
        () => show('done'),
        (error: unknown) => {
          // A failed search can be retried.
          if (!controller.signal.aborted) running.current = { begin, stop: () => undefined };
          show('failed', error);
        },
      );
    };
    const delay = setTimeout(begin, typingDelayMs);
    running.current = { begin, stop: () => undefined };
    return () => {
      clearTimeout(delay);
      clearTimeout(timer);
      controller.abort();
      running.current = null;
    };
  }, [folder, query, key, isEmpty]);

  const state = shown.key === key && !isEmpty ? shown.state : idleState;
  return {
    ...state,
    startNow: () => running.current?.begin(),
    stop: () => running.current?.stop(),
  };
}
