import {
  listTrash,
  type TrashEnd,
  type TrashItem,
  type TrashPage,
} from '@filestead/contract/endpoints/trash';
import { ApiError, call, isAbort, send } from '../../api/call.ts';
import { yieldToEventLoop } from '../../api/yield-to-event-loop.ts';

/** The items that a list of the trash contains. */
export interface TrashFilter {
  /** Only the items that the user deleted. */
  readonly isMine: boolean;
  /** Only names that contain this text, in any letter case; empty: all. */
  readonly query: string;
  /** Only what was below the folder with this path; empty: all. */
  readonly below: string;
}

/** The filter that matches every item. */
export const everything: TrashFilter = { isMine: false, query: '', below: '' };

/** Whether a filter matches fewer items than {@link everything}. */
export const isRestricted = ({ isMine, query, below }: TrashFilter): boolean =>
  isMine || query !== '' || below !== '';

/** The number of items of the first response: more than fit on any screen, few enough to arrive at once. */
const firstPageItems = 200;

const queryOf = ({ isMine, query, below }: TrashFilter) => ({
  below: below === '' ? undefined : below,
  by: isMine ? ('me' as const) : undefined,
  q: query === '' ? undefined : query,
});

/** The number of bytes that are parsed at once, without a pause for input and painting: about 400 items. */
const sliceBytes = 128 * 1024;

/** Loads the latest deletions and the number of all items. Throws `ApiError`. */
export const loadFirstItems = (filter: TrashFilter, signal: AbortSignal): Promise<TrashPage> =>
  call(listTrash, { query: { ...queryOf(filter), limit: String(firstPageItems) }, signal });

/**
 * Streams the items that follow the cursor `before`, in the order of the list. Throws `ApiError`, `no_connection` if the
 * list was truncated; an `AbortError` when `signal` is aborted.
 */
export async function streamItems(
  filter: TrashFilter,
  before: string,
  { signal, onItems }: { signal: AbortSignal; onItems: (items: TrashItem[]) => void },
): Promise<TrashEnd> {
  const response = await send(listTrash, {
    query: { ...queryOf(filter), before },
    headers: { Accept: 'application/x-ndjson' },
    signal,
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let unfinished = '';
  let end: TrashEnd | null = null;
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      for (let from = 0; from < chunk.value.length; from += sliceBytes) {
        signal.throwIfAborted();
        const slice = chunk.value.subarray(from, from + sliceBytes);
        const text = unfinished + decoder.decode(slice, { stream: true });
        const lastBreak = text.lastIndexOf('\n');
        unfinished = text.slice(lastBreak + 1);
        if (lastBreak < 0) continue;
        const { items, end: last } = parseLines(text.slice(0, lastBreak));
        end ??= last;
        if (items.length > 0) onItems(items);
        await yieldToEventLoop();
      }
    }
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    if (isAbort(error) || signal.aborted) throw error;
    throw new ApiError(0, 'no_connection', { detail: 'The list was cut short.', cause: error });
  }
  if (end === null) throw new ApiError(0, 'no_connection', { detail: 'The list was cut short.' });
  return end;
}

/** Parses complete lines of a list. JSON contains no raw line break, so that they can be parsed as one array. */
function parseLines(text: string): { items: TrashItem[]; end: TrashEnd | null } {
  const lines = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as (TrashItem | TrashEnd)[];
  const last = lines.at(-1);
  if (last === undefined || !('end' in last)) return { items: lines as TrashItem[], end: null };
  return { items: lines.slice(0, -1) as TrashItem[], end: last };
}
