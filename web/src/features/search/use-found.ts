import { useEffect, useRef, useState } from 'react';
import { findEntries, isWalking, type FindRequest, type FoundEntry } from './find-entries.ts';

/** The state of a search while its query is typed. */
export interface Found {
  /** `searching`: the results, if any, are incomplete or those of the previous query. */
  readonly phase: 'idle' | 'searching' | 'done' | 'failed';
  readonly entries: readonly FoundEntry[];
  readonly hasMore: boolean;
  /** Whether the entries are those of the previous query. */
  readonly isStale: boolean;
}

interface FoundState extends Found {
  readonly key: string;
}

/** The delay after the last key press before a search that walks the disk, in ms; the catalogue is searched at once. */
const walkDelayMs = 250;
/** The minimum interval between two updates of the results, in ms. */
const updateIntervalMs = 100;

const nothing: FoundState = { key: '', phase: 'idle', entries: [], hasMore: false, isStale: false };

/**
 * Searches while a query is typed; null and an empty query have no results. Each query ends the previous search, and the
 * previous results stay until the first ones of the new query arrive.
 */
export function useFound(
  request: FindRequest | null,
  find: typeof findEntries = findEntries,
): Found & { retry: () => void } {
  const [shown, setShown] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const query = request?.query.trim() ?? '';
  const key =
    request === null || query === ''
      ? ''
      : `${attempt}\0${request.folder}\0${request.near}\0${request.limit}\0${query}`;
  const latest = useRef(request);
  useEffect(() => {
    latest.current = request;
  });
  useEffect(() => {
    const current = latest.current;
    if (key === '' || current === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const entries: FoundEntry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (phase: Found['phase'], hasMore = false): void => {
      clearTimeout(timer);
      timer = undefined;
      if (!signal.aborted) setShown({ key, phase, entries: [...entries], hasMore, isStale: false });
    };
    const begin = (): void => {
      find(
        { ...current, query: current.query.trim() },
        {
          signal,
          onFound: (found) => {
            entries.push(...found);
            timer ??= setTimeout(
              () => show('searching'),
              entries.length === found.length ? 0 : updateIntervalMs,
            );
          },
        },
      ).then(
        (hasMore) => show('done', hasMore),
        () => show('failed'),
      );
    };
    const delay = setTimeout(begin, isWalking() ? walkDelayMs : 0);
    return () => {
      clearTimeout(delay);
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, find]);
  const retry = () => setAttempt((count) => count + 1);
  if (key === '') return { ...nothing, retry };
  return shown.key === key ? { ...shown, retry } : { ...shown, phase: 'searching', isStale: true, retry };
}
