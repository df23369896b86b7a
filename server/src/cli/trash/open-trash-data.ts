import type { Config } from '../../config/config.ts';
import { prepareFolders } from '../../start/data-folder.ts';
import { newModesOf } from '../../start/new-modes.ts';
import { setUmask } from '../../start/safe-umask.ts';
import type { DiskStorageOptions } from '../../storage/disk/open-disk-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { TrashIndex } from '../../trash/trash-index.ts';
import type { CommandCall } from '../command.ts';
import { configOf } from '../common-options.ts';
import { assertDatabase, lockDataFolder, type OpenData, withData } from '../open-data.ts';

/** The data on which the commands of the trash work. */
export interface TrashData extends OpenData {
  /** Rooted at the served folder. */
  readonly storage: Storage;
}

/** The options with which the storage of the served folder is opened. */
export type StorageOptions = DiskStorageOptions & { readonly storeRegistry: string };

async function storageOptionsOf(config: Config): Promise<StorageOptions> {
  const { readLetterCases } = await import('../../storage/disk/paths/letter-case.ts');
  const folders = prepareFolders(config);
  if (config.umask !== null) setUmask(config.umask);
  return {
    root: folders.root,
    excluded: folders.excluded,
    followExternalLinks: config.followExternalSymlinks,
    modes: newModesOf(config),
    storeRegistry: `${folders.data}/stores.json`,
    letterCases: await readLetterCases(folders.root),
  };
}

async function openStorage(config: Config): Promise<Storage> {
  const { openDiskStorage } = await import('../../storage/disk/open-disk-storage.ts');
  return openDiskStorage(await storageOptionsOf(config));
}

/** Calls `work` with the options of the storage, for commands that open it in parts. Throws `CliError` without a database. */
export async function withTrashOptions<T>(
  call: CommandCall,
  work: (options: StorageOptions) => Promise<T>,
): Promise<T> {
  const config = await configOf(call);
  assertDatabase(config);
  return work(await storageOptionsOf(config));
}

/** Opens the database and the served folder, without changing files. */
export async function withTrash<T>(call: CommandCall, work: (data: TrashData) => Promise<T>): Promise<T> {
  const config = await configOf(call);
  assertDatabase(config);
  return withData(config, async (data) => {
    const storage = await openStorage(config);
    try {
      return await work({ ...data, storage });
    } finally {
      await storage.close();
    }
  });
}

/** Opens the index of the trash. Its errors are not logged, because the command reports them. */
export const openTrashIndex = ({ database, storage }: TrashData): TrashIndex =>
  new TrashIndex({
    repository: database.trash,
    shares: database.shares,
    storage,
    now: Date.now,
    log: { error: () => undefined },
  });

/** As {@link withTrash}, while no server uses the data folder. Throws `CliError` if one does. */
export const withLockedTrash = <T>(call: CommandCall, work: (data: TrashData) => Promise<T>): Promise<T> =>
  withTrash(call, async (data) => {
    const release = lockDataFolder(data.config, 'stop it first, or use the trash in its page');
    try {
      return await work(data);
    } finally {
      release();
    }
  });
