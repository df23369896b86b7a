import { deleteResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/virtual-path';
import { call, isApiError } from '../../api/call.ts';
import { announceChange, foldersOf } from './changes.ts';
import { forgetInClipboard } from './clipboard.ts';
import type { FileEntry } from './entry.ts';
import { isolated } from './failure.ts';
import { runMany } from './run-many.ts';
import { runTask } from './tasks.ts';
import { counted, filesText, toastDone, toastFailure, toastLeft } from './toasts.ts';

/** Deletes `path` for good. A thing that is gone already is as good as deleted. Throws `ApiError`. */
export async function removePath(path: VirtualPath): Promise<void> {
  try {
    await call(deleteResource, { path });
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error;
  }
}

/** Deletes entries for good, says how it went, and returns what is gone. The question comes before, not here. */
export async function removeEntries(entries: readonly FileEntry[]): Promise<VirtualPath[]> {
  const { done, failed, left } = await runTask('removing', entries.length, (signal, onProgress) =>
    runMany({ items: entries, run: ({ path }) => removePath(path), signal, onProgress }),
  );
  const gone = done.map(({ item }) => item.path);
  forgetInClipboard(gone);
  announceChange({ folders: foldersOf(entries.map(({ path }) => path)), removed: gone });
  const first = failed[0];
  const only = entries.length === 1 ? entries[0] : undefined;
  if (first) {
    const what = only
      ? filesText('failed.removeOne', { name: isolated(only.name) })
      : filesText('failed.removeMany', {
          failed: counted(failed.length).number,
          total: counted(entries.length).number,
        });
    toastFailure(what, first.error);
  } else if (left.length > 0) {
    toastLeft(left.length);
  } else {
    toastDone(
      only
        ? filesText('done.removedOne', { name: isolated(only.name) })
        : filesText('done.removedMany', counted(done.length)),
    );
  }
  return gone;
}
