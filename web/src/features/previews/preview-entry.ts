import type { EntryType } from '@filestead/contract/files';
import { extensionOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

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

/** Kinds of documents that are read in the page. */
export type DocumentKind = 'archive' | 'book' | 'font' | 'word' | 'workbook';

/** How a file is shown; `none`: as a card with its name and what can be done with it. */
export type PreviewKind = 'image' | 'audio' | 'video' | 'pdf' | 'text' | DocumentKind | 'none';

/** Endings of images that browsers do not decode: camera RAW, TIFF, HEIC, JPEG 2000 and layered pictures. */
const undecodable = new Set(
  '.tif .tiff .dng .cr2 .cr3 .crw .nef .nrw .arw .srf .sr2 .orf .raf .rw2 .pef .raw .x3f .heic .heif .jp2 .j2k .jpf .psd .psb'.split(
    ' ',
  ),
);
/** Images that are decoded in the page when the server does not (docs/reference/behaviour.md §2). */
const decodedHere = new Set('.tif .tiff .dng .cr2 .nef'.split(' '));

const endingOf = ({ name }: Pick<PreviewEntry, 'name'>): string => extensionOf(name).toLowerCase();

/** Whether a browser shows the image by itself. */
export const isDecodedByBrowser = (entry: Pick<PreviewEntry, 'name'>): boolean =>
  !undecodable.has(endingOf(entry));

/** Whether the image can be decoded in the page, TIFF and its relatives. */
export const isDecodedHere = (entry: Pick<PreviewEntry, 'name'>): boolean => decodedHere.has(endingOf(entry));

/** Whether a recording may have a cover that the server finds. */
export const mayHaveCover = (entry: Pick<PreviewEntry, 'name'>): boolean =>
  /^\.(?:mp3|flac|m4a|m4b)$/u.test(endingOf(entry));

const documents: Readonly<Record<string, DocumentKind>> = {
  '.zip': 'archive',
  '.jar': 'archive',
  '.war': 'archive',
  '.apk': 'archive',
  '.xpi': 'archive',
  '.cbz': 'archive',
  '.tar': 'archive',
  '.tgz': 'archive',
  '.epub': 'book',
  '.otf': 'font',
  '.ttf': 'font',
  '.woff': 'font',
  '.woff2': 'font',
  '.docx': 'word',
  '.xlsx': 'workbook',
  '.xlsm': 'workbook',
};

function documentKindOf(name: string): DocumentKind | null {
  if (/\.tar\.gz$/iu.test(name)) return 'archive';
  const ending = endingOf({ name });
  return Object.hasOwn(documents, ending) ? (documents[ending] ?? null) : null;
}

export function previewKindOf({ name, type }: Pick<PreviewEntry, 'name' | 'type'>): PreviewKind {
  switch (type) {
    case 'image':
    case 'audio':
    case 'video':
    case 'pdf':
      return type;
    case 'text':
    case 'textImmutable':
      return 'text';
    case 'blob':
      return documentKindOf(name) ?? 'none';
    default:
      return 'none';
  }
}

/** Whether previous and next stop at an entry (docs/reference/behaviour.md §2). */
export const isPreviewable = ({ type }: Pick<PreviewEntry, 'type'>): boolean =>
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
  const walked = siblings.filter(isPreviewable);
  const position = walked.findIndex((entry) => entry.path === path);
  if (at < 0) return { position: null, count: walked.length, previous: null, next: null };
  return {
    position: position < 0 ? null : position + 1,
    count: walked.length,
    previous: siblings.slice(0, at).findLast(isPreviewable) ?? null,
    next: siblings.slice(at + 1).find(isPreviewable) ?? null,
  };
}
