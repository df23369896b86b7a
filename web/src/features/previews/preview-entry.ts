import type { EntryType } from '@filestead/contract/files';
import { extensionOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pictureFormatOf } from '@filestead/contract/values/picture-formats';
import { maxTextBytes } from '@filestead/contract/values/limits';
import { fileKind } from '../../ui/names/file-kind.ts';

/** A file in the previewer. */
export interface PreviewEntry {
  readonly path: VirtualPath;
  readonly name: string;
  readonly type: EntryType;
  /** The size in bytes. */
  readonly size: number;
  /** The modification time in Unix milliseconds. */
  readonly modifiedMs: number;
}

/** Documents that are parsed in the page. */
export type DocumentKind = 'archive' | 'book' | 'font' | 'word' | 'workbook';

/** The way in which a file is previewed; `none` is a card with its name and actions. */
export type PreviewKind = 'image' | 'audio' | 'video' | 'pdf' | 'text' | DocumentKind | 'none';

const lowerExtension = ({ name }: Pick<PreviewEntry, 'name'>): string => extensionOf(name).toLowerCase();

/** Whether browsers may decode the image; camera RAW, TIFF, HEIC, JPEG 2000 and layered pictures they do not. */
export function isDecodedByBrowser({ name }: Pick<PreviewEntry, 'name'>): boolean {
  const shownBy = pictureFormatOf(name)?.shownBy;
  return shownBy === undefined || shownBy === 'browser';
}

/** Whether the page decodes the image when the server does not (docs/reference/behaviour.md §2). */
export const isDecodedInPage = ({ name }: Pick<PreviewEntry, 'name'>): boolean =>
  pictureFormatOf(name)?.shownBy === 'page';

/** Whether the server may find a cover in a recording. */
export const mayHaveCover = (entry: Pick<PreviewEntry, 'name'>): boolean =>
  /^\.(?:mp3|flac|m4a|m4b)$/u.test(lowerExtension(entry));

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
  const extension = lowerExtension({ name });
  return Object.hasOwn(documents, extension) ? (documents[extension] ?? null) : null;
}

/** Returns the way in which a file is previewed, by its type and extension. */
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

/** The position of an entry among those that previous and next stop at. */
export interface Neighbors {
  /** From 1; null when previous and next do not stop at the entry itself. */
  readonly position: number | null;
  readonly count: number;
  readonly previous: PreviewEntry | null;
  readonly next: PreviewEntry | null;
}

/**
 * Finds the neighbors of the entry at `path` among `siblings`, which are in listing order. An entry that is not
 * previewable (a PDF) has neighbors but no position of its own.
 */
export function neighborsOf(siblings: readonly PreviewEntry[], path: VirtualPath): Neighbors {
  const index = siblings.findIndex((entry) => entry.path === path);
  const previewable = siblings.filter(isPreviewable);
  const position = previewable.findIndex((entry) => entry.path === path);
  if (index < 0) return { position: null, count: previewable.length, previous: null, next: null };
  return {
    position: position < 0 ? null : position + 1,
    count: previewable.length,
    previous: siblings.slice(0, index).findLast(isPreviewable) ?? null,
    next: siblings.slice(index + 1).find(isPreviewable) ?? null,
  };
}

/** Whether a text file has no preview only because of its size. */
export const isLargeText = (entry: PreviewEntry): boolean =>
  entry.size > maxTextBytes && ['text', 'code'].includes(fileKind({ ...entry, isFolder: false }));
