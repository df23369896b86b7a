import type { TrashEnd, TrashItem, TrashPage } from '@filestead/contract/endpoints/trash';
import { cursorOf } from '../access/keeping/kept-cursor.ts';
import type { KeptPosition, ListedKept } from '../database/trash-repository.ts';
import { type PresentItem, presentItems } from './present-item.ts';
import type { TrashFilter, TrashView, VisibleKept } from './trash-view.ts';

/** A request for a page of the trash. */
export interface ListTrash {
  readonly filter: TrashFilter;
  readonly after: KeptPosition | undefined;
  /** Maximum number of entries. */
  readonly limit: number;
}

/** Yields the items of a page in batches, and returns the cursor of the next page; null when there is none. */
async function* pageOf(
  view: TrashView,
  { filter, after, limit }: ListTrash,
  parts: PresentItem,
): AsyncGenerator<TrashItem[], string | null> {
  let missing = limit;
  let last: VisibleKept<ListedKept> | undefined;
  for await (const batch of view.list(filter, after)) {
    // One more entry shows that there is another page.
    if (missing === 0) return last === undefined ? null : cursorOf(last.kept);
    const items = batch.slice(0, missing);
    yield await presentItems(view, items, parts);
    last = items.at(-1);
    missing -= items.length;
    if (items.length < batch.length && last !== undefined) return cursorOf(last.kept);
  }
  return null;
}

/** Returns a page of the trash. */
export async function readTrash(view: TrashView, request: ListTrash, parts: PresentItem): Promise<TrashPage> {
  const items: TrashItem[] = [];
  const pages = pageOf(view, request, parts);
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return { items, next: page.value, total: await view.count(request.filter) };
    items.push(...page.value);
  }
}

/** Yields a page of the trash as NDJSON: one item per line, then the end with the number of all items. */
export async function* trashAsRows(
  view: TrashView,
  request: ListTrash,
  parts: PresentItem,
): AsyncGenerator<string> {
  const pages = pageOf(view, request, parts);
  let rows = 0;
  for (;;) {
    const page = await pages.next();
    if (page.done === true) {
      const isWhole = request.after === undefined && page.value === null;
      const total = isWhole ? rows : await view.count(request.filter);
      const end: TrashEnd = { end: true, next: page.value, total };
      yield `${JSON.stringify(end)}\n`;
      return;
    }
    rows += page.value.length;
    yield page.value.map((item) => `${JSON.stringify(item)}\n`).join('');
  }
}
