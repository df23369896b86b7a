import { type EntryType, entryTypes, type ListingRow } from '@filestead/contract/files';
import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { batchKinds, type Entry, type EntryBatch } from '../../storage/storage.ts';
import { listedTypeIndex, typeAt, typeIndex } from './entry-type.ts';
import type { FindSubtitles } from '../subtitles/find-subtitles.ts';
import { formatModified } from '../../format-time.ts';
import { modeBits } from './mode-bits.ts';

const goneKind = batchKinds.indexOf('gone');
const folderKind = batchKinds.indexOf('folder');
const videoIndex = typeIndex('video');
const typeTexts = entryTypes.map((type) => JSON.stringify(type));

/** Serializes one entry of a batch; null for an entry that has disappeared. */
export type WriteEntry = (batch: EntryBatch, offset: number, name: string) => string | null;

function typeIndexOf(batch: EntryBatch, offset: number, extension: string): number {
  const kind = batchKinds[batch.kinds[offset] ?? goneKind];
  return kind === undefined || kind === 'gone'
    ? typeIndex('blob')
    : listedTypeIndex(kind, extension, batch.sizes[offset] ?? 0);
}

/** Returns the type of the entry at `offset`, by its name and size only. */
export const listedType = (batch: EntryBatch, offset: number, name: string): EntryType =>
  typeAt(typeIndexOf(batch, offset, extensionOf(name)));

/**
 * Returns a function that serializes entries as the JSON items of docs/reference/filebrowser-api.md §1.5.
 *
 * @param folderPath the folder's virtual path, without a trailing slash
 */
export function createItemWriter(folderPath: string, findSubtitles: FindSubtitles): WriteEntry {
  const prefix = folderPath === '/' ? '/' : `${folderPath}/`;
  const prefixText = JSON.stringify(prefix).slice(0, -1);
  return (batch, offset, name) => {
    const kind = batch.kinds[offset] ?? goneKind;
    if (kind === goneKind) return null;
    const extension = extensionOf(name);
    const type = typeIndexOf(batch, offset, extension);
    const nameText = JSON.stringify(name);
    let text = `{"path":${prefixText}${nameText.slice(1)},"name":${nameText},"size":${batch.sizes[offset] ?? 0},"extension":${
      extension === '' ? '""' : JSON.stringify(extension)
    },"modified":"${formatModified(batch.modifiedMs[offset] ?? 0)}","mode":${modeBits(
      batch.modes[offset] ?? 0,
    )},"isDir":${kind === folderKind},"isSymlink":${batch.links[offset] === 1},"type":${typeTexts[type] ?? '""'}`;
    if (type === videoIndex) {
      const subtitles = findSubtitles(name).map((found) => prefix + found);
      if (subtitles.length > 0) text += `,"subtitles":${JSON.stringify(subtitles)}`;
    }
    return `${text}}`;
  };
}

/** Returns the row of one entry. */
export function rowOf({ name, kind, size, modifiedNs, isSymlink }: Entry): ListingRow {
  const modifiedMs = Number(modifiedNs / 1_000_000n);
  const type = listedTypeIndex(kind, extensionOf(name), size);
  return isSymlink ? [name, size, modifiedMs, type, 1] : [name, size, modifiedMs, type];
}

/** Serializes entries as lines of NDJSON. */
export const writeRow: WriteEntry = (batch, offset, name) => {
  if (batch.kinds[offset] === goneKind) return null;
  const size = batch.sizes[offset] ?? 0;
  const modifiedMs = Math.trunc(batch.modifiedMs[offset] ?? 0);
  const type = typeIndexOf(batch, offset, extensionOf(name));
  const row: ListingRow =
    batch.links[offset] === 1 ? [name, size, modifiedMs, type, 1] : [name, size, modifiedMs, type];
  return `${JSON.stringify(row)}\n`;
};

/** Whether the entry at `offset` is a folder, or a link to one. */
export const isFolderAt = (batch: EntryBatch, offset: number): boolean => batch.kinds[offset] === folderKind;
