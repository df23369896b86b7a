import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import type { Catalogue } from './open-catalogue.ts';

/** The real place of a folder of a user, or of the nearest one above it that exists. */
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

/** Tells the catalogue about one change. */
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
  // A folder that existed may have been merged with another one, at any depth.
  catalogue.changed([childOf(target, destination)], { isDeep: true });
}

/** Keeps the catalogue up to date with the changes that this server makes. */
export function followChanges(
  events: FileEvents,
  catalogue: Catalogue,
  onFailure: (error: unknown) => void,
): void {
  const note = async (change: FileChange, isComplete: boolean): Promise<void> => {
    // The next sweep finds what is missed here; the change itself succeeded.
    await noteChange(catalogue, change, isComplete).catch(onFailure);
  };
  events.subscribe({
    after: (change) => note(change, true),
    aborted: (change) => note(change, false),
  });
}
