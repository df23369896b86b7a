import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { deleteResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call, isApiError } from '../../../api/call.ts';
import { announceChange, foldersOf } from './changes.ts';
import { forgetInClipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from './entry.ts';
import { runJobs } from '../jobs/run-job.ts';
import { reportFailures } from '../feedback/report-failures.ts';
import { runMany, type ManyOutcome } from './run-many.ts';
import { runTask } from '../feedback/tasks.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { filesText, toastDone, toastFailure, toastUnprocessed } from '../feedback/toasts.ts';
import { needsJob } from '../transfers/needs-job.ts';

/** Deletes `path` permanently. A missing entry counts as deleted. Throws `ApiError`. */
export async function removePath(path: VirtualPath): Promise<void> {
  try {
    await call(deleteResource, { path });
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error;
  }
}

/** Deletes entries permanently, without asking, reports the result, and returns the deleted paths. Throws nothing. */
export async function removeEntries(entries: readonly FileEntry[]): Promise<VirtualPath[]> {
  const folders = foldersOf(entries.map(({ path }) => path));
  try {
    const { done, failed, unprocessed } = await performRemoval(entries);
    const removedPaths = done.map(({ item }) => item.path);
    forgetInClipboard(removedPaths);
    announceChange({ folders, removed: removedPaths });
    if (failed.length > 0) {
      reportFailures({
        kind: 'delete',
        total: entries.length,
        failed: failed.map(({ item, error }) => ({ path: item.path, error })),
        summary: removalFailureText(entries, failed.length),
        retry: () => void removeEntries(failed.map(({ item }) => item)),
      });
    } else if (unprocessed.length > 0) toastUnprocessed(unprocessed.length);
    else if (done.length > 0) toastDone(doneText(entries));
    return removedPaths;
  } catch (error) {
    announceChange({ folders });
    toastFailure(removalFailureText(entries, entries.length), error, () => void removeEntries(entries));
    return [];
  }
}

/** Deletes a few files with one request each, anything more with a job. */
async function performRemoval(entries: readonly FileEntry[]): Promise<ManyOutcome<FileEntry, unknown>> {
  if (!needsJob('delete', entries)) {
    return runTask('removing', entries.length, (signal, onProgress) =>
      runMany({ items: entries, run: ({ path }) => removePath(path), signal, onProgress }),
    );
  }
  const { done, failed, unprocessed } = await runJobs({
    kind: 'delete',
    items: entries,
    itemOf: ({ path }) => ({ from: path }),
    note: { name: (entries.length === 1 && entries[0]?.name) || '', destination: null },
  });
  const isMissing = ({ error }: { error: unknown }) => isApiError(error, 'not_found');
  return {
    done: [...done, ...failed.filter(isMissing).map(({ item }) => ({ item, result: item.path }))],
    failed: failed.filter((failure) => !isMissing(failure)),
    unprocessed,
  };
}

const singleEntry = (entries: readonly FileEntry[]): FileEntry | undefined =>
  entries.length === 1 ? entries[0] : undefined;

function doneText(entries: readonly FileEntry[]): string {
  const only = singleEntry(entries);
  return only
    ? filesText('done.removedOne', { name: isolateBidi(only.name) })
    : filesText('done.removedMany', pluralValues(entries.length));
}

function removalFailureText(entries: readonly FileEntry[], failed: number): string {
  const only = singleEntry(entries);
  return only
    ? filesText('failed.removeOne', { name: isolateBidi(only.name) })
    : filesText('failed.removeMany', {
        ...pluralValues(failed),
        total: pluralValues(entries.length).number,
      });
}
