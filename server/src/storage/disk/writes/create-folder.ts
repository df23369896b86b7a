import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import { makeFolder } from '../paths/syscalls.ts';
import type { Disk } from '../disk.ts';
import { at } from '../paths/folder.ts';
import { withFolder } from '../trees/with-tree.ts';
import { release, locate } from '../paths/locate.ts';
import { defaultModes, mkdirMode, setFolderMode } from '../paths/modes.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { runAsync } from '../paths/steps.ts';

/** `Storage.createFolder` on a disk, including missing parent folders. */
export async function createFolder({ scopeRoot }: Disk, path: VirtualPath): Promise<void> {
  const resolved = await runAsync(
    locate(scopeRoot, segmentsOf(path), { leaf: 'follow', forWriting: true, createParents: true }),
  );
  try {
    if (resolved.stats?.isDirectory() === true) return;
    // A link whose target does not exist blocks the name like a file.
    if (resolved.stats !== null || resolved.link !== null) throw new AppError('already_exists');
    const modes = scopeRoot.modes ?? defaultModes;
    const isNew = await makeFolder(at(resolved.folder, resolved.name), mkdirMode(modes)).async();
    if (isNew && modes.folder !== null) {
      await withFolder(scopeRoot, resolved.folder, resolved.name, (folder) => setFolderMode(folder, modes));
    }
    if (!isNew && (await lstatOrNull(resolved.folder, resolved.name))?.isDirectory() !== true) {
      throw new AppError('already_exists');
    }
  } finally {
    release(scopeRoot, resolved);
  }
}
