import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { nameOf } from '@filestead/contract/paths/virtual-path';
import type { ListedKept } from '../database/trash-repository.ts';
import { formatUtc } from '../format-time.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { TrashView, VisibleKept } from './trash-view.ts';

/** The parts of the server that {@link presentItems} uses. */
export interface PresentItem extends EntryViews {
  /** Returns the name of a user; null if there is none. */
  readonly usernameOf: (id: number) => Promise<string | null>;
  /** Returns when an entry that was deleted at this time leaves the trash; null for never. Unix milliseconds. */
  readonly expiryOf: (keptAt: number) => number | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns when an entry leaves the trash; null without a limit. All times in Unix milliseconds. */
export const expiryAfter = (keptAt: number, trashDays: number): number | null =>
  trashDays === 0 ? null : keptAt + trashDays * dayMs;

/** Returns deleted entries as the API sends them. The name of a user is looked up once. */
export async function presentItems(
  view: TrashView,
  items: readonly VisibleKept<ListedKept>[],
  parts: PresentItem,
): Promise<TrashItem[]> {
  const names = new Map<number, string | null>();
  for (const { kept } of items) {
    if (kept.userId !== null && !names.has(kept.userId))
      names.set(kept.userId, await parts.usernameOf(kept.userId));
  }
  return items.map((item) => presentItem(view, item, parts, names));
}

function presentItem(
  view: TrashView,
  item: VisibleKept<ListedKept>,
  { typeOf, formatModified, expiryOf }: PresentItem,
  names: ReadonlyMap<number, string | null>,
): TrashItem {
  const { kept, path } = item;
  const { perm } = view.userContext.user;
  const name = nameOf(path);
  const expiresAt = expiryOf(kept.keptAt);
  return {
    id: kept.id,
    name,
    path,
    isDir: kept.kind === 'folder',
    size: kept.size,
    type: typeOf(kept.kind, name, kept.size ?? 0),
    modified: formatModified(Number(BigInt(kept.modifiedNs) / 1_000_000n)),
    deletedAt: formatUtc(kept.keptAt),
    deletedBy: kept.userId === null ? null : (names.get(kept.userId) ?? null),
    expiresAt: expiresAt === null ? null : formatUtc(expiresAt),
    canRestore: perm.create,
    canPurge: view.canPurge(item),
    parentInTrash: kept.parentId,
  };
}
