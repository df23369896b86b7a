import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { makePrivateFolder } from '../database/adopt-owner.ts';
import { backupFolderOf } from '../database/database-file.ts';
import { explainPath } from './explain-error.ts';
import { logFilesOf } from './open-log.ts';
import { ConfigError } from '../config/config-error.ts';

/** Folders of a running server by their real paths. */
export interface Folders {
  readonly root: string;
  readonly data: string;
  /** Cache of thumbnails and previews. */
  readonly previews: string;
  /**
   * Paths that are never served, even inside the root: the data folder, the database and its backups,
   * certificate and key for TLS, the log, the socket, the preview cache, and the configuration files.
   */
  readonly excluded: readonly string[];
}

/** Path of the file that a running server keeps locked. */
export const lockFileOf = (data: string): string => join(data, 'lock');

/** Checks the served folder and creates the data folder with mode 700. Throws {@link ConfigError}. */
export function prepareFolders(config: Config): Folders {
  const { root, data, database, cache, certFile, keyFile, log, socket } = config;
  const previews = join(cache, 'previews');
  try {
    if (!statSync(root).isDirectory()) throw new ConfigError(`root: ${root} is not a folder`);
    accessSync(root, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(explainPath('root', root, error), { cause: error });
  }
  for (const folder of [data, dirname(database), previews]) {
    try {
      makePrivateFolder(folder);
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new ConfigError(explainPath('data', folder, error), { cause: error });
    }
  }
  const realData = realpathSync(data);
  const realDatabase = join(realpathSync(dirname(database)), basename(database));
  const files = ['', '-wal', '-shm', '-journal', '.new'].map((suffix) => `${realDatabase}${suffix}`);
  files.push(backupFolderOf(realDatabase));
  files.push(
    ...[certFile, keyFile, socket].filter((file) => file !== null),
    ...config.configFiles,
    ...logFilesOf(log),
  );
  const realPreviews = realpathSync(previews);
  const excluded = [realData, realPreviews, ...files];
  return { root: realpathSync(root), data: realData, previews: realPreviews, excluded };
}
