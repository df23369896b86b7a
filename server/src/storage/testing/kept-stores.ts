import fs from 'node:fs';
import { join } from 'node:path';

/** The name of the folder of stores. */
export const trash = '.filestead-trash';

/** Returns the folder of this installation in the store of the disk folder `base`. */
export function storeIn(base: string): string {
  const own = fs.readdirSync(join(base, trash)).find((name) => name !== 'README.txt');
  return join(base, trash, own ?? '');
}
