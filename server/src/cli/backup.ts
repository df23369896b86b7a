import { join } from 'node:path';
import { makePrivateFolder } from '../database/adopt-owner.ts';
import { backupFolderOf } from '../database/database-file.ts';
import type { Config } from '../config/config.ts';

/**
 * Returns a path for a copy with its time of creation in the name, such as `users-20261121-093000-123.json`.
 */
export function backupPath(config: Config, subject: string, ending: string): string {
  const folder = backupFolderOf(config.database);
  makePrivateFolder(folder);
  const time = new Date()
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace('T', '-')
    .replace(/\.(\d+)Z$/, '-$1');
  return join(folder, `${subject}-${time}.${ending}`);
}
