import { LimitedMap } from '../../limited-map.ts';
import { type EntryType, entryTypes } from '@filestead/contract/files';
import { maxTextBytes } from '@filestead/contract/values/limits';
import { isTextual } from '@filestead/contract/values/media-types';
import {
  looksBinary,
  mayBeText,
  mediaTypeOfExtension,
  sniffMediaType,
} from '../../media-types/media-type.ts';
import type { EntryKind } from '../../storage/storage.ts';

/** Returns the index of a type in `entryTypes`, which represents it in the rows of a listing. */
export const typeIndex = (type: EntryType): number => entryTypes.indexOf(type);

/** The inverse of {@link typeIndex}. */
export const typeAt = (index: number): EntryType => entryTypes[index] ?? 'blob';

const textIndex = typeIndex('text');
const blobIndex = typeIndex('blob');
const indexOfKind: Readonly<Record<Exclude<EntryKind, 'file'>, number>> = {
  folder: typeIndex(''),
  special: blobIndex,
  invalid_link: typeIndex('invalid_link'),
};

/** Returns the entry type of a media type; null when it depends on the content. */
function typeOfMedia(mediaType: string): EntryType | null {
  if (mediaType.startsWith('video')) return 'video';
  if (mediaType.startsWith('audio')) return 'audio';
  if (mediaType.startsWith('image')) return 'image';
  if (mediaType.endsWith('pdf')) return 'pdf';
  return null;
}

const maxCachedExtensions = 4096;
const indexes = new LimitedMap<string, number>(maxCachedExtensions);

/** Returns the type by the extension only. Unknown extensions count as text (docs/reference/filebrowser-api.md §1.5). */
function indexOfExtension(extension: string): number {
  const cached = indexes.get(extension);
  if (cached !== undefined) return cached;
  const mediaType = mediaTypeOfExtension(extension);
  const type: EntryType =
    mediaType === null ? 'text' : (typeOfMedia(mediaType) ?? (isTextual(mediaType) ? 'text' : 'blob'));
  indexes.set(extension, typeIndex(type));
  return typeIndex(type);
}

/** Returns the type of an entry in a listing, by its name and size only, as an index of `entryTypes`. */
export function listedTypeIndex(kind: EntryKind, extension: string, size: number): number {
  if (kind !== 'file') return indexOfKind[kind];
  const index = indexOfExtension(extension);
  return index === textIndex && size > maxTextBytes ? blobIndex : index;
}

/** Returns the type of a file by its name and beginning. Text in any encoding is text, unless the extension says otherwise. */
export function openedType(extension: string, size: number, head: Uint8Array): EntryType {
  const mediaType = mediaTypeOfExtension(extension) ?? sniffMediaType(head);
  const type = typeOfMedia(mediaType);
  if (type !== null) return type;
  const isText =
    mediaType.startsWith('text/') || (isTextual(mediaType) ? mayBeText(head) : !looksBinary(head));
  return isText && size <= maxTextBytes ? 'text' : 'blob';
}
