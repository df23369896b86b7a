import type { KeptPosition } from '../../database/trash-repository.ts';
import { cursorAt, parsePosition } from './page-cursor.ts';

/** Returns the cursor of the page after an entry. */
export const cursorOf = ({ keptAt, id }: KeptPosition): string => cursorAt([keptAt, id]);

/** Parses a cursor. Throws `bad_request`. */
export function parseCursor(cursor: string): KeptPosition {
  const [keptAt, id] = parsePosition(cursor);
  return { keptAt, id };
}
