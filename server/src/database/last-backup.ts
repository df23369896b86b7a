import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptOwner } from './adopt-owner.ts';

/** Name of the file in the data folder whose content is the time of the last backup, in Unix seconds. */
const fileName = 'last-backup';

/** Stores the time of a completed backup (Unix milliseconds) in the folder `data`. */
export function recordBackup(data: string, atMs: number): void {
  const file = join(data, fileName);
  const temporary = `${file}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${Math.floor(atMs / 1000)}\n`, { mode: 0o600, flag: 'wx' });
  adoptOwner(temporary);
  renameSync(temporary, file);
}

/** Returns the time of the last backup in Unix seconds; null if there was none. */
export async function readLastBackup(data: string): Promise<number | null> {
  const text = await readFile(join(data, fileName), 'utf8').catch(() => '');
  return /^\d{1,12}\n$/.test(text) ? Number(text) : null;
}
