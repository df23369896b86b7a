import { randomFillSync } from 'node:crypto';
import { hasEscapedBytes } from '@filestead/contract/paths/raw-names';

/** The maximum length of the original name within a stored name (bytes). */
const maxNamePart = 200;

const idPattern = /^[A-Za-z0-9_-]{22}$/;
/** The length of an hour as in `2026-11-21T10`. */
const hourLength = 13;
const folderPattern = /^\d{4}-\d{2}-\d{2}T\d{2}(?:-\d{1,6})?$/;

const idBytes = 16;
/** Random bytes for the next ids: a single request for few bytes costs as much as one for many. */
const pool = Buffer.alloc(256 * idBytes);
let used = pool.length;

/** Generates the id of a kept entry, which cannot be guessed. It never begins with a dash, so that no command takes it for an option. */
export function newKeptId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('base64url', used, used + idBytes);
  used += idBytes;
  return id.startsWith('-') ? newKeptId() : id;
}

/** Whether `text` has the form of an id. */
export const isKeptId = (text: string): boolean => idPattern.test(text);

/** Whether `text` is the name of a folder of kept entries. */
export const isKeptFolder = (text: string): boolean => folderPattern.test(text);

/** The folder of entries that are kept at `time` (Unix milliseconds): the UTC hour, as in `2026-11-21T10`. */
export const hourOf = (time: number): string => new Date(time).toISOString().slice(0, hourLength);

/** The hour of a folder of kept entries: its name without the number of a further folder of the same hour. */
export const hourOfFolder = (folder: string): string => folder.slice(0, hourLength);

/** Returns the longest beginning of `name` with at most `maxBytes` bytes in UTF-8. */
function cut(name: string, maxBytes: number): string {
  let bytes = 0;
  let length = 0;
  for (const letter of name) {
    bytes += Buffer.byteLength(letter);
    if (bytes > maxBytes) break;
    length += letter.length;
  }
  return name.slice(0, length);
}

/**
 * The name of a kept entry in its folder: the id and the original name, so that people can find it. The original name is truncated
 * to 200 bytes, and omitted when it is not UTF-8.
 */
export const storedNameOf = (id: string, name: string): string =>
  hasEscapedBytes(name) ? id : `${id} ${cut(name, maxNamePart)}`;

/** The id of the kept entry with the name `storedName`; null when it is not such a name. */
export function idOfStoredName(storedName: string): string | null {
  const id = storedName.slice(0, 22);
  return isKeptId(id) && (storedName.length === 22 || storedName[22] === ' ') ? id : null;
}
