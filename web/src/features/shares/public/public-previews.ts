import type { ReactNode } from 'react';
import { useLocation } from '../../../ui/navigation/router.tsx';
import type { PublicEntry, PublicItem } from './open-public.ts';

/** The page behind the previewer: the folder of the file, or the page of the file itself. */
export type PreviewedOver = 'folder' | 'file';

/** The history state of an address whose file is open in the previewer. */
export interface PreviewState {
  readonly previewedOver: PreviewedOver;
}

export const previewOver = (previewedOver: PreviewedOver): PreviewState => ({ previewedOver });

/** Returns the target of a link that opens the file of this page in the previewer, above its folder if there is one. */
export function usePreviewLink({ isShareRoot }: PublicEntry): { to: string; state: PreviewState } {
  const { pathname } = useLocation();
  return { to: pathname, state: previewOver(isShareRoot ? 'file' : 'folder') };
}

/** Reads the history state of a visited address. */
export function previewedOver(state: unknown): PreviewedOver | null {
  const over = (state as Partial<PreviewState> | null)?.previewedOver;
  return over === 'folder' || over === 'file' ? over : null;
}

/** A file in the previewer. */
export interface PreviewedFile {
  /** The entry behind it. */
  readonly entry: PublicEntry;
  readonly file: PublicItem;
  /** The files of the folder in the order of the list; only the file itself if there is no folder. */
  readonly siblings: readonly PublicItem[];
}

/** The previewer, which belongs to another feature and is passed in. */
export interface PublicPreviews {
  readonly canPreview: (item: PublicItem) => boolean;
  readonly render: (previewed: PreviewedFile) => ReactNode;
}

/** Returns the file at `path` for the previewer; null if it does not exist. */
export function previewedFile(
  entry: PublicEntry,
  path: PublicItem['path'],
  over: PreviewedOver,
): PreviewedFile | null {
  if (over === 'file') return entry.isFolder ? null : { entry, file: entry, siblings: [entry] };
  const siblings = entry.items.filter(({ isFolder, type }) => !isFolder && type !== 'invalid_link');
  const file = siblings.find((item) => item.path === path);
  return file === undefined ? null : { entry, file, siblings };
}
