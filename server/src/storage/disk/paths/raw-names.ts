import { Buffer } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { bytesOfName, hasEscapedBytes, nameOfBytes } from '@filestead/contract/paths/raw-names';

/** On these systems every name is Unicode text, and a name with the code points of escapes is just that. */
const namesAreText = process.platform === 'win32' || process.platform === 'darwin';

/** Node puts this in a decoded name for bytes that are not UTF-8. */
const replacement = '\uFFFD';

/** A path or name as Node's file functions take it: text, or bytes where the name is not UTF-8. */
export const toRawPath = (text: string): string | Buffer =>
  !namesAreText && hasEscapedBytes(text) ? Buffer.from(bytesOfName(text)) : text;

/**
 * Whether a name or path that Node has decoded may be another one on the disk: it is not UTF-8, or it contains the code point
 * of an escape. Only its bytes tell.
 */
export const isNotUtf8 = (decoded: string): boolean =>
  !namesAreText && (decoded.includes(replacement) || hasEscapedBytes(decoded));

/** The text of a name or path from its bytes, see `raw-names.ts` of the contract. */
export function textOfRaw(raw: Buffer): string {
  const decoded = raw.toString();
  return isNotUtf8(decoded) ? nameOfBytes(raw) : decoded;
}

/** An entry of a folder that was read as bytes, with its name as text. */
export const withText = (dirent: Dirent<Buffer>): Dirent =>
  Object.assign(dirent, { name: textOfRaw(dirent.name) });
