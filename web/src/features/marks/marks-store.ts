import {
  changeMarks,
  type FolderMarks,
  getFolderMarks,
  listMarks,
  type MarkedRow,
  type MarksChange,
  orderFavorites,
} from '@filestead/contract/endpoints/marks';
import type { ErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import { call } from '../../api/call.ts';

/** Favorites and tags of one entry. */
export interface EntryMarks {
  readonly favorite: boolean;
  readonly tags: readonly string[];
}

interface MarksState {
  /** The user to whom the marks belong; null before they have been loaded. */
  readonly userId: number | null;
  /** In their order; null before they have been loaded. */
  readonly favorites: readonly MarkedRow[] | null;
  /** All tags of the user. */
  readonly tags: readonly string[];
  /** Whether recent entries are recorded. */
  readonly recents: boolean;
  /** Increases with every change, so that marks of folders are loaded again. */
  readonly version: number;
}

const initial: MarksState = { userId: null, favorites: null, tags: [], recents: true, version: 0 };

/** The marks of the user that the sidebar and the rows show. */
export const useMarks = create<MarksState>(() => initial);

/** Clears the store unless its marks belong to this user. */
export function keepMarksOf(userId: number): void {
  if (useMarks.getState().userId !== userId) useMarks.setState({ ...initial, userId });
}

let loading: Promise<void> | null = null;
let isStale = false;

/** Loads favorites and tags; a call during a load loads them once more. Throws `ApiError`. */
export function loadMarks(): Promise<void> {
  isStale = true;
  loading ??= (async () => {
    try {
      while (isStale) {
        isStale = false;
        const { favorites, tags, recents } = await call(listMarks);
        useMarks.setState(({ version }) => ({ favorites, tags, recents, version: version + 1 }));
      }
    } finally {
      loading = null;
    }
  })();
  return loading;
}

/** Changes marks of entries and shows the result. Returns the entries that could not be marked. Throws `ApiError`. */
export async function applyMarks(
  change: MarksChange,
): Promise<readonly { readonly path: string; readonly code: ErrorCode }[]> {
  const { failures } = await call(changeMarks, { body: change });
  await loadMarks();
  return failures;
}

/** Puts favorites in an order; the page shows it before the server has responded. Throws `ApiError`. */
export async function applyOrder(paths: readonly string[]): Promise<void> {
  const { favorites } = useMarks.getState();
  const byPath = new Map((favorites ?? []).map((row) => [row.path, row]));
  useMarks.setState({ favorites: paths.flatMap((path) => byPath.get(path) ?? []) });
  try {
    await call(orderFavorites, { body: { paths: [...paths] } });
  } catch (error) {
    await loadMarks();
    throw error;
  }
}

/** Returns the marks of the entries of a folder by their names. Throws `ApiError`. */
export async function loadFolderMarks(
  folder: VirtualPath,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, EntryMarks>> {
  const { rows }: FolderMarks = await call(getFolderMarks, { path: folder, isFolder: true, signal });
  return new Map(rows.map(({ name, ...marks }) => [name, marks]));
}
