import { join } from 'node:path';
import { makePrivateFolder } from '../database/adopt-owner.ts';
import { backupFolderOf, timeInName } from '../database/database-file.ts';
import type { Config } from '../config/config.ts';

/**
 * Returns a path for a copy with its time of creation in the name, such as `users-20261121-093000-123.json`.
 */
export function backupPath(config: Config, subject: string, ending: string): string {
  const folder = backupFolderOf(config.database);
  makePrivateFolder(folder);
  return join(folder, `${subject}-${timeInName(new Date())}.${ending}`);
}
