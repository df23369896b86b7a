import {
  InvalidPathError,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { KeepCause, KeptEntry } from './kept-entries.ts';
import { idOfStoredName, isKeptFolder, isKeptId } from './kept-names.ts';

const acts: readonly string[] = [
  'delete',
  'upload',
  'save',
  'copy',
  'move',
  'restore',
] satisfies KeepCause['act'][];
const kinds: readonly string[] = ['file', 'folder', 'special', 'invalid_link'] satisfies KeptEntry['kind'][];

/** The fields of a record that describe the entry itself. They are absent in records that were written ahead. */
type EntryState = 'kind' | 'size' | 'modifiedNs';

/** The JSON value of a record. Its path is relative to the folder of the store, so that it stays valid when that folder is moved. */
export const recordOf = ({
  store,
  place,
  ...rest
}: Omit<KeptEntry, EntryState> & Partial<KeptEntry>): object => ({
  type: 'keep',
  ...rest,
  place: relativeTo(place, store),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isSize = (value: unknown): value is number | null =>
  value === null || (Number.isSafeInteger(value) && Number(value) >= 0);

function causeOf(value: unknown): KeepCause | null {
  if (!isObject(value)) return null;
  const { operation, act, userId, session, time } = value;
  if (typeof operation !== 'string' || typeof act !== 'string' || !acts.includes(act)) return null;
  if (!isTextOrNull(session) || typeof time !== 'number') return null;
  if (userId !== null && typeof userId !== 'number') return null;
  return { operation, act: act as KeepCause['act'], userId, session, time };
}

/** Returns a path of a record; null when it is not valid. */
export function recordedPath(text: unknown): VirtualPath | null {
  if (typeof text !== 'string') return null;
  try {
    const { path } = parsePath(text);
    return path === text && path !== '/' ? path : null;
  } catch (error) {
    if (error instanceof InvalidPathError) return null;
    throw error;
  }
}

/**
 * The entry of a record in the store of the folder `store`; null when the value is not a valid record. A record that was written
 * ahead has the kind `special` and no size: the metadata of the stored entry replaces them.
 */
export function entryOfRecord(value: unknown, store: VirtualPath): KeptEntry | null {
  if (!isObject(value) || value['type'] !== 'keep') return null;
  const { id, folder, storedName, kind = 'special', size = null, modifiedNs = '0', keptAt } = value;
  const place = recordedPath(value['place']);
  const cause = causeOf(value['cause']);
  if (place === null || cause === null || !isSize(size) || typeof keptAt !== 'number') return null;
  if (typeof id !== 'string' || !isKeptId(id)) return null;
  if (typeof folder !== 'string' || !isKeptFolder(folder)) return null;
  // The name is used as a path of the disk.
  if (typeof storedName !== 'string' || /[/\0]/.test(storedName) || idOfStoredName(storedName) !== id)
    return null;
  if (typeof kind !== 'string' || !kinds.includes(kind)) return null;
  if (typeof modifiedNs !== 'string' || !/^-?\d{1,20}$/.test(modifiedNs)) return null;
  const entryKind = kind as KeptEntry['kind'];
  return {
    id,
    store,
    folder,
    storedName,
    place: joinPaths(store, place),
    kind: entryKind,
    size,
    modifiedNs,
    keptAt,
    cause,
  };
}
