import type { EntryType } from '@filestead/contract/files';
import { extensionOf, type VirtualPath } from '@filestead/contract/virtual-path';

/** One file as the previewer needs it. */
export interface PreviewEntry {
  readonly path: VirtualPath;
  readonly name: string;
  readonly type: EntryType;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
}

/** How a file is shown; `none`: as a card with its name and what can be done with it. */
export type PreviewKind = 'image' | 'audio' | 'video' | 'pdf' | 'none';

/** Endings of images that browsers do not decode: camera RAW, TIFF, HEIC, JPEG 2000 and layered pictures. */
const undecodable = new Set(
  '.tif .tiff .dng .cr2 .cr3 .crw .nef .nrw .arw .srf .sr2 .orf .raf .rw2 .pef .raw .x3f .heic .heif .jp2 .j2k .jpf .psd .psb'.split(
    ' ',
  ),
);

export function previewKindOf({ name, type }: PreviewEntry): PreviewKind {
  switch (type) {
    case 'image':
      return undecodable.has(extensionOf(name).toLowerCase()) ? 'none' : 'image';
    case 'audio':
    case 'video':
    case 'pdf':
      return type;
    default:
      return 'none';
  }
}

/** Whether previous and next stop at an entry (product specification §2). */
export const isWalked = ({ type }: Pick<PreviewEntry, 'type'>): boolean =>
  type === 'image' || type === 'video' || type === 'audio' || type === 'blob';

/** Where an entry stands among those that previous and next stop at. */
export interface Neighbours {
  /** From 1; null when the entry itself is not one of them. */
  readonly position: number | null;
  readonly count: number;
  readonly previous: PreviewEntry | null;
  readonly next: PreviewEntry | null;
}

/**
 * The neighbours of the entry at `path` among `siblings`, which are in the order of the listing. An entry of another
 * kind (a PDF) stands between those before and behind it, without a position of its own.
 */
export function neighboursOf(siblings: readonly PreviewEntry[], path: VirtualPath): Neighbours {
  const at = siblings.findIndex((entry) => entry.path === path);
  const walked = siblings.filter(isWalked);
  const position = walked.findIndex((entry) => entry.path === path);
  if (at < 0) return { position: null, count: walked.length, previous: null, next: null };
  return {
    position: position < 0 ? null : position + 1,
    count: walked.length,
    previous: siblings.slice(0, at).findLast(isWalked) ?? null,
    next: siblings.slice(at + 1).find(isWalked) ?? null,
  };
}
