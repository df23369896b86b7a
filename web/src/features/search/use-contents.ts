import type { Snippet } from '@filestead/contract/endpoints/contents';
import type { EntryType } from '@filestead/contract/files';
import { nameOf, parsePath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FindRequest, FoundEntry } from './find-entries.ts';
import { isContentsOn, streamContents } from '../../api/contents.ts';

/** A file whose content matches. */
export interface FoundContent extends FoundEntry {
  readonly size: number;
  readonly modifiedMs: number;
  readonly type: EntryType;
  readonly snippet: Snippet | null;
}

/** A search in the text of documents below `folder`. */
export type ContentsRequest = Pick<FindRequest, 'folder' | 'query' | 'near' | 'limit'>;

/** The state of a search in contents. */
export interface FoundContents {
  readonly phase: 'idle' | 'searching' | 'done' | 'failed';
  readonly files: readonly FoundContent[];
  readonly hasMore: boolean;
  /** The percentage of all documents that have been read; null while it is unknown. */
  readonly percent: number | null;
  /** Searches again after a failure. */
  readonly retry: () => void;
}

/** A search in contents whose results are shown, so that they can be shown again at once after going back. */
export interface ShownContents {
  readonly key: string;
  readonly found: Omit<FoundContents, 'retry'>;
}

/** The delay after the last key press before contents are searched, in ms: each result is read for its snippet. */
const typingDelayMs = 250;
/** The interval at which a search is repeated while documents are still being read, in ms. */
const repeatMs = 10_000;

const nothing: Omit<FoundContents, 'retry'> = { phase: 'idle', files: [], hasMore: false, percent: 100 };

/** Whether a query is long enough: two letters, or one of a script whose words may have one. */
const isLongEnough = (query: string): boolean => query.length > 1 || /[^\p{ASCII}]/u.test(query);

/**
 * Searches the text of documents while a query is typed; nothing where that is switched off.
 *
 * @param former the results that were shown before, until they have been requested again
 * @param onShown receives the results that are shown
 */
export function useContents(
  request: ContentsRequest | null,
  former: ShownContents | null = null,
  onShown?: (shown: ShownContents) => void,
): FoundContents {
  const query = request?.query.trim() ?? '';
  const { folder, near, limit } = request ?? { folder: '', near: '', limit: 0 };
  const key = request && isContentsOn() && isLongEnough(query) ? [folder, near, limit, query].join('\0') : '';
  const [shown, setShown] = useState<ShownContents>(former ?? { key: '', found: nothing });
  const known = useRef(shown);
  const [repeat, setRepeat] = useState({ key: '', times: 0 });
  const times = repeat.key === key ? repeat.times : 0;
  const retry = useCallback(
    () => setRepeat((last) => ({ key, times: last.key === key ? last.times + 1 : 1 })),
    [key],
  );
  useEffect(() => {
    if (key === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const files: FoundContent[] = [];
    // Results that are shown already are replaced by complete ones only.
    const isRepeated = known.current.key === key && known.current.found.phase === 'done';
    let repeatTimer: ReturnType<typeof setTimeout> | undefined;
    const show = (found: Omit<FoundContents, 'files' | 'retry'>): void => {
      if (signal.aborted) return;
      known.current = { key, found: { ...found, files: [...files] } };
      setShown(known.current);
      onShown?.(known.current);
    };
    const search = async (): Promise<void> => {
      try {
        const end = await streamContents(
          parsePath(folder).path,
          { query, near, limit: String(limit) },
          {
            signal,
            onRows: (rows) => {
              for (const row of rows) {
                const { path } = parsePath(`${folder}/${row.path}`);
                files.push({
                  path,
                  name: nameOf(path),
                  isFolder: false,
                  size: row.size,
                  modifiedMs: Date.parse(row.modified),
                  type: row.type,
                  isSimilar: false,
                  isFavorite: row.favorite === true,
                  tags: row.tags ?? [],
                  snippet: row.snippet ?? null,
                });
              }
              if (!isRepeated) show({ phase: 'searching', hasMore: false, percent: 100 });
            },
          },
        );
        show(end ? { phase: 'done', hasMore: end.more, percent: end.percent } : nothing);
        if (end !== null && end.percent !== 100) repeatTimer = setTimeout(retry, repeatMs);
      } catch {
        show({ phase: 'failed', hasMore: false, percent: 100 });
      }
    };
    const delay = setTimeout(() => void search(), times === 0 ? typingDelayMs : 0);
    return () => {
      clearTimeout(delay);
      clearTimeout(repeatTimer);
      controller.abort();
    };
  }, [key, folder, near, limit, query, times, retry, onShown]);
  return useMemo(() => {
    if (key === '') return { ...nothing, retry };
    return shown.key === key ? { ...shown.found, retry } : { ...shown.found, phase: 'searching', retry };
  }, [key, shown, retry]);
}
