import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import type { Catalogue } from './open-catalogue.ts';

/** Returns the place of a user’s folder, or of the nearest existing folder above it. */
async function placeOfFolder(storage: NarrowedStorage, folder: VirtualPath): Promise<VirtualPath> {
  for (let path = folder; ; path = parentOf(path)) {
    try {
      const inner = await storage.within(path);
      const place = inner.toPlace(rootPath);
      await inner.close();
      return place;
    } catch (error) {
      if (path === rootPath) throw error;
    }
  }
}

const childOf = (folder: VirtualPath, path: VirtualPath): VirtualPath =>
  `${folder === '/' ? '' : folder}${path.slice(path.lastIndexOf('/'))}` as VirtualPath;

/** Notifies the catalogue of one change. */
async function noteChange(
  catalogue: Catalogue,
  { event, userContext, path, destination }: FileChange,
  isComplete: boolean,
): Promise<void> {
  const storage = await userContext.storage();
  if (event === 'purge') return;
  const source = await placeOfFolder(storage, parentOf(path));
  if (destination === null) {
    catalogue.changed([source]);
    return;
  }
  const target = await placeOfFolder(storage, parentOf(destination));
  if (event === 'rename' && isComplete) {
    catalogue.moved(childOf(source, path), childOf(target, destination));
    return;
  }
  catalogue.changed([source, target]);
  // The folder may have been merged into an existing one, at any depth.
  catalogue.changed([childOf(target, destination)], { isDeep: true });
}

/** Notifies the catalogue of all changes that this server makes. */
export function followChanges(
  events: FileEvents,
  catalogue: Catalogue,
  onFailure: (error: unknown) => void,
): void {
  const note = async (change: FileChange, isComplete: boolean): Promise<void> => {
    // A failure here does not fail the change, which has succeeded; the next sweep repairs the catalogue.
    await noteChange(catalogue, change, isComplete).catch(onFailure);
  };
  events.subscribe({
    after: (change) => note(change, true),
    aborted: (change) => note(change, false),
  });
}
