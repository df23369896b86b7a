import { compareNames } from '@filestead/contract/paths/natural-order';
import { useEffect } from 'react';
import type { FolderSession } from '../folder/folder-session.ts';
import { maxFoldersPerLevel, publishFolders, revealInTree } from './tree-store.ts';

/** Copies the subfolders of the listed folder to the tree, so that it need not request them. */
export function usePublishedFolders({ model, path }: FolderSession): void {
  useEffect(() => {
    let published = -1;
    const publish = (): void => {
      if (model.phase !== 'ready' || model.header === null || published === model.orderVersion) return;
      // The tree does not follow the filter of the list.
      if (model.isFiltered) return;
      if (published === -1) revealAfterwards();
      published = model.orderVersion;
      publishFolders(path, folderNames());
    };
    const revealAfterwards = (): void => queueMicrotask(() => revealInTree(path));
    const folderNames = (): string[] => {
      const names: string[] = [];
      // Folders come first in every order.
      for (const id of model.order.subarray(0, Math.min(model.numFolders, maxFoldersPerLevel))) {
        names.push(model.name(id));
      }
      return names.toSorted(compareNames);
    };
    publish();
    return model.subscribe(publish);
  }, [model, path]);
}
