import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';

/** The position of an entry in a list that is sorted by time: Unix milliseconds and an id of 22 characters. */
export type CursorPosition = readonly [time: number, id: string];

/** Computes the checksum that detects altered cursors. It is not a signature: clients can compute it too. */
const checksumOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Returns the cursor of the page after a position. */
export function cursorAt([time, id]: CursorPosition): string {
  const text = `${time}.${id}`;
  return `${text}.${checksumOf(text)}`;
}

/** Parses a cursor. Throws `bad_request`. */
export function parsePosition(cursor: string): CursorPosition {
  const match = /^(\d{1,16})\.([\w-]{22})\.([\w-]{8})$/.exec(cursor);
  const [, time = '', id = '', check] = match ?? [];
  if (check !== checksumOf(`${time}.${id}`))
    throw new AppError('bad_request', 'query.before: is not a cursor');
  return [Number(time), id];
}
