import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the index in the data folder. */
const indexFileName = 'contents';

/** The path of the index in a data folder. */
export const indexFileOf = (data: string): string => join(data, indexFileName);

/** Creates the file, if it is missing, so that only the server’s account can read it; SQLite gives its other files the same mode. */
export function createPrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** Removes an index with the files that SQLite keeps beside it. */
export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}
