import { Buffer } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { bytesOfName, hasEscapedBytes, nameOfBytes } from '@filestead/contract/paths/raw-names';

/** On these systems every name is Unicode text, and the code points of escapes have no special meaning. */
const namesAreText = process.platform === 'win32' || process.platform === 'darwin';

/** The replacement character, which Node inserts into a decoded name for bytes that are not UTF-8. */
const replacement = '\uFFFD';

/** A path or name in the form that Node's file functions accept: text, or bytes when it is not UTF-8. */
export const toRawPath = (text: string): string | Buffer =>
  !namesAreText && hasEscapedBytes(text) ? Buffer.from(bytesOfName(text)) : text;

/**
 * Whether a name or path that Node has decoded may differ from the one on the disk: it is not UTF-8, or it contains the code
 * point of an escape. It has to be read again as bytes.
 */
export const isNotUtf8 = (decoded: string): boolean =>
  !namesAreText && (decoded.includes(replacement) || hasEscapedBytes(decoded));

/** The text of a name or path from its bytes, see `raw-names.ts` of the contract. */
export function textOfRaw(raw: Buffer): string {
  const decoded = raw.toString();
  return isNotUtf8(decoded) ? nameOfBytes(raw) : decoded;
}

/** Converts a folder entry that was read as bytes: its name becomes text. */
export const withText = (dirent: Dirent<Buffer>): Dirent =>
  Object.assign(dirent, { name: textOfRaw(dirent.name) });
