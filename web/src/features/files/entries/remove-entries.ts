import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { deleteResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError, send } from '../../../api/call.ts';
import { announceChange, foldersOf } from './changes.ts';
import { forgetInClipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from './entry.ts';
import { runJobs } from '../jobs/run-job.ts';
import { reportFailures } from '../feedback/report-failures.ts';
import { runMany, type ManyOutcome } from './run-many.ts';
import { runTask } from '../feedback/tasks.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone, toastFailure, toastUnprocessed } from '../feedback/toasts.ts';
import { openPrompt } from '../prompts/prompt-store.ts';
import { needsJob } from '../transfers/needs-job.ts';

/** The options of deleting entries. */
export interface Removal {
  /** Deletes forever instead of moving to the trash. */
  readonly isPermanent?: boolean;
  /** Whether the user may delete forever what cannot be moved to the trash. */
  readonly canPurge?: boolean;
}

/**
 * Deletes `path`: moves it to the trash if the server has one. Returns the id of the operation; empty if the entry was not
 * kept. A missing entry counts as deleted. Throws `ApiError`.
 */
export async function removePath(path: VirtualPath, isPermanent = false): Promise<string> {
  try {
    const query = isPermanent ? { permanent: 'true' } : {};
    const response = await send(deleteResource, { path, query });
    return response.headers.has('X-Trash-Item') ? (response.headers.get('X-Operation') ?? '') : '';
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error;
    return '';
  }
}

/**
 * Deletes entries without asking, reports the result, and returns the deleted paths. What was moved to the trash can be
 * undone. For entries that the trash cannot keep, users who may delete forever are asked. Throws nothing.
 */
export async function removeEntries(
  entries: readonly FileEntry[],
  removal: Removal = {},
): Promise<VirtualPath[]> {
  const folders = foldersOf(entries.map(({ path }) => path));
  try {
    const { done, failed, unprocessed } = await performRemoval(entries, removal.isPermanent === true);
    const removedPaths = done.map(({ item }) => item.path);
    forgetInClipboard(removedPaths);
    announceChange({ folders, removed: removedPaths });
    const isAsked = ({ error }: { error: unknown }) =>
      removal.canPurge === true && isApiError(error, 'cannot_keep');
    askToRemoveForever(failed.filter(isAsked).map(({ item }) => item));
    const reported = failed.filter((failure) => !isAsked(failure));
    if (reported.length > 0) {
      reportFailures({
        kind: 'delete',
        total: entries.length,
        failed: reported.map(({ item, error }) => ({ path: item.path, error })),
        summary: removalFailureText(entries, reported.length),
        retry: () =>
          void removeEntries(
            reported.map(({ item }) => item),
            removal,
          ),
      });
    }
    const kept = done.filter(({ result }) => result !== '');
    const isComplete = failed.length === 0 && unprocessed.length === 0;
    toastUnprocessed(unprocessed.length);
    if (kept.length > 0)
      toastTrashed(
        done.map(({ item }) => item),
        [...new Set(kept.map(({ result }) => result))],
      );
    else if (isComplete && done.length > 0) toastDone(doneText(entries));
    return removedPaths;
  } catch (error) {
    announceChange({ folders });
    const retry = () => void removeEntries(entries, removal);
    toastFailure(removalFailureText(entries, entries.length), error, retry);
    return [];
  }
}

/** Asks whether to delete entries forever that cannot be moved to the trash. */
function askToRemoveForever(entries: readonly FileEntry[]): void {
  if (entries.length === 0) return;
  openPrompt({
    kind: 'remove',
    entries,
    cannotKeep: true,
    onConfirm: () => void removeEntries(entries, { isPermanent: true }),
  });
}

/** Notifies of entries that were moved to the trash, with an undo of the operations. */
function toastTrashed(entries: readonly FileEntry[], operations: readonly string[]): void {
  const only = singleEntry(entries);
  const message = only
    ? filesText('done.trashedOne', { name: isolateBidi(only.name) })
    : filesText('done.trashedMany', pluralValues(entries.length));
  toastDone(message, operations);
}

/**
 * Deletes a few files with one request each, anything more with a job. A result is the id of the operation; empty if
 * the entry was not kept.
 */
async function performRemoval(
  entries: readonly FileEntry[],
  isPermanent: boolean,
): Promise<ManyOutcome<FileEntry, string>> {
  if (!needsJob('delete', entries)) {
    return runTask('removing', entries.length, (signal, onProgress) =>
      runMany({ items: entries, run: ({ path }) => removePath(path, isPermanent), signal, onProgress }),
    );
  }
  const { done, failed, unprocessed } = await runJobs({
    kind: 'delete',
    items: entries,
    itemOf: ({ path }) => ({ from: path }),
    note: { name: (entries.length === 1 && entries[0]?.name) || '', destination: null },
    isPermanent,
    resultOf: ({ trashItem }, job) => (trashItem === undefined ? '' : job),
  });
  const isMissing = ({ error }: { error: unknown }) => isApiError(error, 'not_found');
  return {
    done: [...done, ...failed.filter(isMissing).map(({ item }) => ({ item, result: '' }))],
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
