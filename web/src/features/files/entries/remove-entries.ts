import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { deleteResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError, send } from '../../../api/call.ts';
import { pageConfig } from '../../../api/page-config.ts';
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
  /** Copies to the trash what cannot be moved there. */
  readonly copiesToTrash?: boolean;
  /** Whether the user may delete forever what cannot be moved to the trash. */
  readonly canPurge?: boolean;
}

/**
 * Whether entries are deleted forever. False refuses to delete what the trash does not keep, so that users who may delete it
 * forever are asked; undefined leaves that to the server.
 */
const isPermanentRemoval = ({ isPermanent, canPurge }: Removal): boolean | undefined =>
  isPermanent === true ? true : canPurge === true && pageConfig.EnableTrash ? false : undefined;

/**
 * Deletes `path`: moves it to the trash if the server has one. Returns the id of the operation; empty if the entry was not
 * kept. A missing entry counts as deleted. Throws `ApiError`.
 */
export async function removePath(path: VirtualPath, removal: Removal = {}): Promise<string> {
  try {
    const isPermanent = isPermanentRemoval(removal);
    const query = isPermanent === undefined ? {} : { permanent: String(isPermanent) };
    const response = await send(deleteResource, { path, query });
    return response.headers.has('X-Trash-Item') ? (response.headers.get('X-Operation') ?? '') : '';
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error;
    return '';
  }
}

/**
 * Deletes entries without asking, reports the result, and returns the deleted paths. What the server keeps can be
 * undone. For entries that the trash cannot keep, users who may delete forever are asked. Throws nothing.
 */
export async function removeEntries(
  entries: readonly FileEntry[],
  removal: Removal = {},
): Promise<VirtualPath[]> {
  const folders = foldersOf(entries.map(({ path }) => path));
  try {
    const { done, failed, unprocessed } = await performRemoval(entries, removal);
    const removedPaths = done.map(({ item }) => item.path);
    forgetInClipboard(removedPaths);
    announceChange({ folders, removed: removedPaths });
    const isAsked = ({ error }: { error: unknown }) =>
      removal.canPurge === true && isApiError(error, 'cannot_keep');
    const needsCopy = ({ error }: { error: unknown }) => isApiError(error, 'keep_needs_copy');
    askToRemoveForever(failed.filter(isAsked).map(({ item }) => item));
    askToCopy(
      failed.filter(needsCopy).map(({ item }) => item),
      removal,
    );
    const reported = failed.filter((failure) => !isAsked(failure) && !needsCopy(failure));
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
    const operations = [...new Set(kept.map(({ result }) => result))];
    const items = done.map(({ item }) => item);
    if (removal.isPermanent !== true && kept.length > 0) toastTrashed(items, operations);
    else if (kept.length > 0) toastDone(doneText(items), operations);
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

/** Asks whether to copy entries to the trash that cannot be moved there. */
function askToCopy(entries: readonly FileEntry[], removal: Removal): void {
  if (entries.length === 0) return;
  openPrompt({
    kind: 'remove',
    entries,
    needsCopy: true,
    onConfirm: () => void removeEntries(entries, { ...removal, copiesToTrash: true }),
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
  removal: Removal,
): Promise<ManyOutcome<FileEntry, string>> {
  if (removal.copiesToTrash !== true && !needsJob('delete', entries)) {
    return runTask('removing', entries.length, (signal, onProgress) =>
      runMany({ items: entries, run: ({ path }) => removePath(path, removal), signal, onProgress }),
    );
  }
  const { done, failed, unprocessed } = await runJobs({
    kind: 'delete',
    items: entries,
    itemOf: ({ path }) => ({ from: path }),
    note: { name: (entries.length === 1 && entries[0]?.name) || '', destination: null },
    isPermanent: isPermanentRemoval(removal),
    copiesToTrash: removal.copiesToTrash === true,
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
