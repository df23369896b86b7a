import { isAtOrBelow, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { systemClock } from '../../clock.ts';
import { type PolledFolder, pollFolder } from '../observe/poll-folder.ts';
import type { FolderObservation, FolderObserver } from '../storage.ts';
import type { CheckedTree } from './checked-tree.ts';

/** `Storage.observe` for a backend: uses the changes that it reports, otherwise polls the folder. */
export async function observeCore(
  tree: CheckedTree,
  path: VirtualPath,
  observer: FolderObserver,
  folder: PolledFolder,
): Promise<FolderObservation> {
  const { backend } = tree;
  if (backend.onChange === undefined) return pollFolder(folder, observer, backend.clock ?? systemClock);
  const observed = tree.absolute(path);
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    stop();
  };
  const endIfGone = async (): Promise<void> => {
    const found = await backend.stat(observed).catch(() => null);
    if (isClosed || found?.kind === 'folder') return;
    close();
    observer.onEnd();
  };
  const stop = backend.onChange((changed) => {
    if (isClosed) return;
    if (isAtOrBelow(observed, changed)) void endIfGone();
    else if (parentOf(changed) === observed) observer.onChange({ names: [nameOf(changed)], renamed: [] });
  });
  return { source: 'events', close };
}
