import { segmentsOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { AppError } from '../../http/app-error.ts';
import { makeFolder } from './calls.ts';
import type { Disk } from './disk.ts';
import { at } from './folder.ts';
import { withFolder } from './hold.ts';
import { leave, locate } from './locate.ts';
import { defaultModes, mkdirMode, setFolderMode } from './modes.ts';
import { look } from './publish.ts';
import { runAsync } from './steps.ts';

/** `Storage.createFolder` on a disk, with the folders above it. */
export async function createFolder({ area }: Disk, path: VirtualPath): Promise<void> {
  const spot = await runAsync(
    locate(area, segmentsOf(path), { leaf: 'follow', forWriting: true, createParents: true }),
  );
  try {
    if (spot.stats?.isDirectory() === true) return;
    // A link to a place that does not exist yet is in the way like a file.
    if (spot.stats !== null || spot.link !== null) throw new AppError('already_exists');
    const modes = area.modes ?? defaultModes;
    const isMade = await makeFolder(at(spot.folder, spot.name), mkdirMode(modes)).async();
    if (isMade && modes.folder !== null) {
      await withFolder(area, spot.folder, spot.name, (folder) => setFolderMode(folder, modes));
    }
    if (!isMade && (await look(spot.folder, spot.name))?.isDirectory() !== true) {
      throw new AppError('already_exists');
    }
  } finally {
    leave(area, spot);
  }
}
