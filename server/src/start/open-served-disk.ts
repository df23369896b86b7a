import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { openDiskPaths } from '../storage/disk/disk-paths.ts';
import { letterCaseOf, readLetterCases } from '../storage/disk/paths/letter-case.ts';
import { openTreeScan } from '../storage/disk/scan/open-scan.ts';
import { FolderWatches, shareWatches } from '../storage/observe/folder-watches.ts';
import type { RootNotice } from '../storage/views/served-root.ts';
import { openServedStorage } from '../storage/views/watched-storage.ts';
import type { AppParts } from './app/create-app.ts';
import type { Folders } from './data-folder.ts';
import { newModesOf } from './new-modes.ts';

/** The parts of the app that read and change the served folder. */
export type ServedDisk = Pick<
  AppParts,
  'storage' | 'checkRoot' | 'places' | 'scan' | 'letterCase' | 'isWatchingLimited'
>;

/** Logs that the served folder was lost, is back or was replaced. */
function logRootNotice(notice: RootNotice, root: string, log: Logger): void {
  if (notice.kind === 'lost') {
    log.error({ root, reason: notice.reason }, `no files are served: ${notice.message}`);
  } else {
    const change = notice.kind === 'back' ? 'is back' : 'was replaced by another one, which was opened';
    log.warn({ root }, `the served folder ${change}: files are served again`);
  }
}

/**
 * Opens the storage of the served folder, and whatever else uses its disk. `onOpened` is called with the function that
 * closes each part.
 */
export async function openServedDisk(
  {
    config,
    folders,
    clock,
    log,
  }: {
    readonly config: Config;
    readonly folders: Folders;
    readonly clock: Clock;
    readonly log: Logger;
  },
  onOpened: (close: () => Promise<void>) => void,
): Promise<ServedDisk> {
  const letterCases = await readLetterCases(folders.root);
  const served = {
    root: folders.root,
    excluded: folders.excluded,
    followExternalLinks: config.followExternalSymlinks,
    modes: newModesOf(config),
    storeRegistry: `${folders.data}/stores.json`,
  };
  const watches = new FolderWatches({
    clock,
    maxWatches: config.watchFolders,
    onExhausted: () =>
      log.warn(
        'the operating system refuses to watch further folders: open ones are read every few seconds instead; raise fs.inotify.max_user_watches, or lower --watchFolders to leave more watches to other programs',
      ),
  });
  onOpened(async () => watches.close());
  const { storage, watch } = await openServedStorage({
    ...served,
    watches,
    clock,
    temporaryJournal: `${folders.data}/temporary-files`,
    letterCases,
    dataFolder: folders.data,
    onNotice: (notice) => logRootNotice(notice, folders.root, log),
    now: clock.now,
  });
  onOpened(() => storage.close());
  const diskPaths = await openDiskPaths(served, watch);
  onOpened(async () => diskPaths.close());
  return {
    storage,
    checkRoot: () => watch.check(),
    places: diskPaths,
    scan: openTreeScan(served, letterCases, watch, () => shareWatches(config.watchFolders).catalogue),
    letterCase: letterCaseOf(letterCases),
    isWatchingLimited: () => watches.isExhausted,
  };
}
