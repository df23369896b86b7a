import {
  listTrash,
  type TrashEnd,
  type TrashItem,
  type TrashPage,
} from '@filestead/contract/endpoints/trash';
import { ApiError, call, isAbort, send } from '../../api/call.ts';

/** The items that a list of the trash contains. */
export interface TrashFilter {
  /** Only the items that the user deleted. */
  readonly isMine: boolean;
  /** Only names that contain this text, in any letter case; empty: all. */
  readonly query: string;
}

/** The number of items of the first response: more than fit on any screen, few enough to arrive at once. */
const firstPageItems = 200;

const queryOf = ({ isMine, query }: TrashFilter) => ({
  by: isMine ? ('me' as const) : undefined,
  q: query === '' ? undefined : query,
});

/** Loads the latest deletions and the number of all items. Throws `ApiError`. */
export const loadFirstItems = (filter: TrashFilter, signal: AbortSignal): Promise<TrashPage> =>
  call(listTrash, { query: { ...queryOf(filter), limit: String(firstPageItems) as never }, signal });

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
      const text = unfinished + decoder.decode(chunk.value, { stream: true });
      const lastBreak = text.lastIndexOf('\n');
      unfinished = text.slice(lastBreak + 1);
      if (lastBreak < 0) continue;
      // JSON contains no raw line break, so that the lines can be parsed as one array.
      const lines = JSON.parse(`[${text.slice(0, lastBreak).replaceAll('\n', ',')}]`) as (
        TrashItem | TrashEnd
      )[];
      const last = lines.at(-1);
      if (last !== undefined && 'end' in last) {
        end = last;
        lines.pop();
      }
      if (lines.length > 0) onItems(lines as TrashItem[]);
    }
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    if (isAbort(error) || signal.aborted) throw error;
    throw new ApiError(0, 'no_connection', { detail: 'The list was cut short.', cause: error });
  }
  if (end === null) throw new ApiError(0, 'no_connection', { detail: 'The list was cut short.' });
  return end;
}
