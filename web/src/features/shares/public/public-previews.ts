import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PublicEntry, PublicItem } from './open-public.ts';

/** What lies behind the previewer: the folder of the file, or the page of the file itself. */
export type PreviewedOver = 'folder' | 'file';

/** The state that goes with the address of a file which is opened in the previewer. */
export interface PreviewState {
  readonly previewedOver: PreviewedOver;
}

export const previewOver = (previewedOver: PreviewedOver): PreviewState => ({ previewedOver });

/** What a link needs that opens the file whose page this is in the previewer, over its folder where it has one. */
export function usePreviewLink({ isWholeLink }: PublicEntry): { to: string; state: PreviewState } {
  const { pathname } = useLocation();
  return { to: pathname, state: previewOver(isWholeLink ? 'file' : 'folder') };
}

/** What the state of a visited address says. */
export function previewedOver(state: unknown): PreviewedOver | null {
  const over = (state as Partial<PreviewState> | null)?.previewedOver;
  return over === 'folder' || over === 'file' ? over : null;
}

/** A file in the previewer. */
export interface PreviewedFile {
  /** What lies behind it. */
  readonly entry: PublicEntry;
  readonly file: PublicItem;
  /** The files of the folder in the order in which they are listed; the file alone without its folder. */
  readonly siblings: readonly PublicItem[];
}

/** Shows files over the whole window; handed in because that is another feature. */
export interface PublicPreviews {
  readonly canPreview: (item: PublicItem) => boolean;
  readonly render: (previewed: PreviewedFile) => ReactNode;
}

/** The file at `path` for the previewer; null when it is not there. */
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
