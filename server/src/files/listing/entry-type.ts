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

/** The index of a type in `entryTypes`, as the rows of a listing name it. */
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

/** What a media type alone decides; null when it depends on the content. */
function typeOfMedia(mediaType: string): EntryType | null {
  if (mediaType.startsWith('video')) return 'video';
  if (mediaType.startsWith('audio')) return 'audio';
  if (mediaType.startsWith('image')) return 'image';
  if (mediaType.endsWith('pdf')) return 'pdf';
  return null;
}

const maxCachedExtensions = 4096;
const indexes = new Map<string, number>();

/** The type that an extension tells without a look into the file. Unknown extensions count as text (docs/reference/filebrowser-api.md §1.5). */
function indexOfExtension(extension: string): number {
  const known = indexes.get(extension);
  if (known !== undefined) return known;
  const mediaType = mediaTypeOfExtension(extension);
  const type: EntryType =
    mediaType === null ? 'text' : (typeOfMedia(mediaType) ?? (isTextual(mediaType) ? 'text' : 'blob'));
  if (indexes.size >= maxCachedExtensions) indexes.clear();
  indexes.set(extension, typeIndex(type));
  return typeIndex(type);
}

/** The type of an entry in a listing, by its name and size only, as an index of `entryTypes`. */
export function listedTypeIndex(kind: EntryKind, extension: string, size: number): number {
  if (kind !== 'file') return indexOfKind[kind];
  const index = indexOfExtension(extension);
  return index === textIndex && size > maxTextBytes ? blobIndex : index;
}

/** The type of a file whose beginning has been read. Texts count in any encoding unless their extension says otherwise. */
export function openedType(extension: string, size: number, head: Uint8Array): EntryType {
  const mediaType = mediaTypeOfExtension(extension) ?? sniffMediaType(head);
  const decided = typeOfMedia(mediaType);
  if (decided !== null) return decided;
  const isText =
    mediaType.startsWith('text/') || (isTextual(mediaType) ? mayBeText(head) : !looksBinary(head));
  return isText && size <= maxTextBytes ? 'text' : 'blob';
}
