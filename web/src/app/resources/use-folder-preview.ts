import { childOf, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useMemo, useSyncExternalStore, type RefObject } from 'react';
import type { ListingHandle } from '../../features/files/listing/listing-options.ts';
import type { PreviewEntry } from '../../features/previews/preview-entry.ts';
import { useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import type { ResourceFolder } from './resource-folder.ts';

/** The history state of a file that was opened from the listing of its folder. */
export const openedFromFolder = { isFromFolder: true };

interface FolderPreview {
  /** The file in the previewer; null until the folder is loaded, and without such a file. */
  readonly entry: PreviewEntry | null;
  /** The files of the folder in the shown order. */
  readonly siblings: readonly PreviewEntry[];
  /** Shows another file of the folder. */
  show(path: VirtualPath): void;
  /** Returns to the listing, in which the file is selected. */
  close(): void;
}

/** Returns the file at `path` for the previewer above the listing of its folder. */
export function useFolderPreview(
  folder: ResourceFolder<unknown>,
  path: VirtualPath,
  {
    addressOf,
    listing,
  }: {
    readonly addressOf: (path: VirtualPath, isFolder: boolean) => string;
    readonly listing: RefObject<ListingHandle | null>;
  },
): FolderPreview {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: typeof openedFromFolder | null };
  const { model } = folder;
  const version = useSyncExternalStore(model.subscribe, () => model.orderVersion);
  const siblings = useMemo(() => filesOf(folder, version), [folder, version]);
  return {
    entry: siblings.find((sibling) => sibling.path === path) ?? null,
    siblings,
    show: (next) => void navigate(addressOf(next, false), { replace: true, state }),
    close() {
      if (state?.isFromFolder) void navigate(-1);
      else void navigate(addressOf(folder.path, true), { replace: true });
      const shown = model.find(nameOf(path));
      if (shown !== null) model.selectOnly(shown);
      setTimeout(() => listing.current?.focus());
    },
  };
}

/** Returns the files of a folder in the shown order; `version` is the order version of its model. */
function filesOf({ model, path }: ResourceFolder<unknown>, version: number): PreviewEntry[] {
  if (version === 0) return [];
  return Array.from(model.order, (id) => model.item(id))
    .filter(({ isFolder, type }) => !isFolder && type !== 'invalid_link')
    .map(({ name, type, size, modifiedMs }) => ({ path: childOf(path, name), name, type, size, modifiedMs }));
}
