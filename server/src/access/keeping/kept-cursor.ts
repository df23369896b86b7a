import { createHash } from 'node:crypto';
import type { KeptPosition } from '../../database/trash-repository.ts';
import { AppError } from '../../errors.ts';

/** Computes the checksum that detects altered cursors. It is no signature: clients can compute it too. */
const checksumOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Returns the cursor of the page after an entry. */
export function cursorOf({ keptAt, id }: KeptPosition): string {
  const text = `${keptAt}.${id}`;
  return `${text}.${checksumOf(text)}`;
}

/** Parses a cursor. Throws `bad_request`. */
export function parseCursor(cursor: string): KeptPosition {
  const match = /^(\d{1,16})\.([\w-]{22})\.([\w-]{8})$/.exec(cursor);
  const [, keptAt = '', id = '', check] = match ?? [];
  if (check !== checksumOf(`${keptAt}.${id}`))
    throw new AppError('bad_request', 'query.before: is no cursor');
  return { keptAt: Number(keptAt), id };
}
