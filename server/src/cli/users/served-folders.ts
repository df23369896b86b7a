import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { prepareFolders } from '../../start/data-folder.ts';
import type { NewUserDependencies } from '../../users/dependencies.ts';
import { CliError } from '../command.ts';
import { knowsRoot } from '../common-options.ts';
import type { OpenData } from '../open-data.ts';
import { newModesOf } from '../../start/new-modes.ts';
import { setUmask } from '../../start/safe-umask.ts';

/** Creates and checks folders of new users. The served folder is opened on demand. */
export type ServedFolders = Pick<NewUserDependencies, 'createFolder' | 'entryExists'>;

/** Runs `work` with access to folders below the served one. */
export async function withServedFolders<T>(
  { config }: OpenData,
  work: (folders: ServedFolders) => Promise<T>,
): Promise<T> {
  const open = async () => {
    // If the data folder is elsewhere, the current folder may not be the served one.
    if (!knowsRoot(config)) {
      throw new CliError(
        'specify the served folder with --root: the home folder of the user is created in it',
      );
    }
    const { openDiskStorage } = await import('../../storage/disk/open-disk-storage.ts');
    const { root, excluded } = prepareFolders(config);
    if (config.umask !== null) setUmask(config.umask);
    const followExternalLinks = config.followExternalSymlinks;
    return openDiskStorage({ root, excluded, followExternalLinks, modes: newModesOf(config) });
  };
  let opened: ReturnType<typeof open> | undefined;
  const storage = (): ReturnType<typeof open> => (opened ??= open());
  try {
    return await work({
      createFolder: async (path: VirtualPath) => (await storage()).createFolder(path),
      entryExists: async (path: VirtualPath) => (await (await storage()).stat(path)) !== null,
    });
  } finally {
    if (opened !== undefined) {
      const openedStorage = await opened.catch(() => null);
      await openedStorage?.close();
    }
  }
}
