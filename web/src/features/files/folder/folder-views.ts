import { sortKeys, viewModes, type Sorting, type ViewMode } from '@filestead/contract/users';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import { storedJson, storeJson } from '../../../ui/browser-storage.ts';
import { tileWidthsPx } from './view-options.ts';

/** The view that the user has chosen for one folder; absent parts follow the user's own settings. */
export interface FolderView {
  readonly viewMode?: ViewMode;
  readonly sorting?: Sorting | undefined;
  /** An index into `tileWidthsPx`. */
  readonly tileStep?: number;
}

/** The maximum number of folders whose view is remembered; the view that was changed longest ago is forgotten first. */
const maxFolders = 500;
const storageKey = (userId: number): string => `filestead.folder-views.${userId}`;

type Views = ReadonlyMap<string, FolderView>;

function parseView(value: unknown): FolderView {
  const { viewMode, sorting, tileStep } = (value ?? {}) as {
    viewMode?: unknown;
    sorting?: Partial<Sorting>;
    tileStep?: unknown;
  };
  const knownMode = viewModes.find((mode) => mode === viewMode);
  const by = sortKeys.find((key) => key === sorting?.by);
  return {
    ...(knownMode && { viewMode: knownMode }),
    ...(by && { sorting: { by, asc: sorting?.asc === true } }),
    ...(typeof tileStep === 'number' && tileStep in tileWidthsPx && { tileStep }),
  };
}

function readStored(userId: number): Views {
  const stored = storedJson(storageKey(userId)) ?? {};
  return new Map(Object.entries(stored).map(([path, view]) => [path, parseView(view)]));
}

/** The views of each user who has been signed in on this page. */
const useViews = create<ReadonlyMap<number, Views>>(() => new Map());
/** The views as they were stored when the page was loaded, read once for each user. */
const storedViews = new Map<number, Views>();

function viewsOf(userId: number, state = useViews.getState()): Views {
  const changed = state.get(userId);
  if (changed) return changed;
  const stored = storedViews.get(userId) ?? readStored(userId);
  storedViews.set(userId, stored);
  return stored;
}

function store(userId: number, views: Views): void {
  useViews.setState(new Map(useViews.getState()).set(userId, views), true);
  storeJson(storageKey(userId), Object.fromEntries(views));
}

/** Returns the view chosen for `folder`. */
export const useFolderView = (userId: number, folder: VirtualPath): FolderView | undefined =>
  useViews((state) => viewsOf(userId, state).get(folder));

/** Remembers a part of the view of `folder`. */
export function saveFolderView(userId: number, folder: VirtualPath, change: FolderView): void {
  const views = new Map(viewsOf(userId));
  const before = views.get(folder);
  views.delete(folder);
  views.set(folder, { ...before, ...change });
  const surplus = views.size - maxFolders;
  for (const path of [...views.keys()].slice(0, Math.max(0, surplus))) views.delete(path);
  store(userId, views);
}

/** Forgets the views of all folders, so that each follows the user's own settings. */
export const forgetFolderViews = (userId: number): void => store(userId, new Map());
