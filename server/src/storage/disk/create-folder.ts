import { segmentsOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { AppError } from '../../http/app-error.ts';
import { makeFolder } from './calls.ts';
import type { Disk } from './disk.ts';
import { at } from './folder.ts';
import { withFolder } from './hold.ts';
import { release, locate } from './locate.ts';
import { defaultModes, mkdirMode, setFolderMode } from './modes.ts';
import { lstatOrNull } from './publish.ts';
import { runAsync } from './steps.ts';

/** `Storage.createFolder` on a disk, with the folders above it. */
export async function createFolder({ scopeRoot }: Disk, path: VirtualPath): Promise<void> {
  const resolved = await runAsync(
    locate(scopeRoot, segmentsOf(path), { leaf: 'follow', forWriting: true, createParents: true }),
  );
  try {
    if (resolved.stats?.isDirectory() === true) return;
    // A link to a place that does not exist yet is in the way like a file.
    if (resolved.stats !== null || resolved.link !== null) throw new AppError('already_exists');
    const modes = scopeRoot.modes ?? defaultModes;
    const isMade = await makeFolder(at(resolved.folder, resolved.name), mkdirMode(modes)).async();
    if (isMade && modes.folder !== null) {
      await withFolder(scopeRoot, resolved.folder, resolved.name, (folder) => setFolderMode(folder, modes));
    }
    if (!isMade && (await lstatOrNull(resolved.folder, resolved.name))?.isDirectory() !== true) {
      throw new AppError('already_exists');
    }
  } finally {
    release(scopeRoot, resolved);
  }
}
