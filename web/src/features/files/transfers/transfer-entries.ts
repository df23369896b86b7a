import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { announceChange, foldersOf } from '../entries/changes.ts';
import type { FileEntry } from '../entries/entry.ts';
import { forgetInClipboard } from '../clipboard/clipboard.ts';
import { RefusedError } from '../feedback/failure.ts';
import { askConflict } from '../prompts/prompt-store.ts';
import type { AskConflict } from './conflict.ts';
import { reportFailures } from '../feedback/report-failures.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone, toastFailure, toastUnprocessed } from '../feedback/toasts.ts';
import { findExisting } from './find-existing.ts';
import { performSteps } from './perform-steps.ts';
import { planTransfer, type TransferRequest } from './plan-transfer.ts';
import { runTransfer, type TransferOutcome } from './run-transfer.ts';

/** Returns the moves, for the components that show the folders. */
const movesOf = (done: TransferOutcome['done']): { entry: FileEntry; to: VirtualPath }[] =>
  done.map(({ item, result }) => ({ entry: item.entry, to: result }));

/** The permissions of the user that a transfer depends on. */
export interface TransferPermissions {
  /** Overwrite existing entries. */
  readonly modify: boolean;
  /** Delete, so that a copy can be undone. */
  readonly delete: boolean;
  /** See the content of files. */
  readonly download: boolean;
}

/** Opens the folder that contains `entry` and selects it. */
export type ShowResult = (entry: VirtualPath) => void;

/**
 * Moves or copies entries into a folder: asks about conflicts, shows the progress of longer work, reports the result
 * and offers to undo it and, by `onShow`, to open the destination. Returns the new paths. Throws nothing.
 */
export async function transferEntries(
  request: TransferRequest,
  permissions: TransferPermissions,
  onShow?: ShowResult,
): Promise<VirtualPath[]> {
  const { kind, entries, destination } = request;
  const canReplace = permissions.modify;
  const ask: AskConflict = (conflict, remaining) =>
    askConflict({ ...conflict, hasPictures: permissions.download }, remaining);
  try {
    const plan = await planTransfer(request, { findExisting, ask, canReplace });
    if (!plan) return [];
    if (plan.refused.length > 0) {
      toastFailure(
        transferFailureText(request, plan.refused.length),
        new RefusedError(filesText('transfer.intoItself')),
      );
    }
    if (plan.steps.length === 0) {
      if (plan.alreadyThere > 0 && plan.refused.length === 0) toastDone(filesText('done.nothingToMove'));
      return [];
    }
    const operations: string[] = [];
    const outcome = await runTransfer({
      kind,
      steps: plan.steps,
      perform: (stepKind, steps) => performSteps(stepKind, steps, (id) => operations.push(id)),
      findExisting,
      ask,
      canReplace,
    });
    reportOutcome(request, outcome, permissions, operations, onShow);
    return outcome.done.map(({ result }) => result);
  } catch (error) {
    announceChange({ folders: [...foldersOf(entries.map(({ path }) => path)), destination] });
    toastFailure(
      transferFailureText(request, entries.length),
      error,
      () => void transferEntries(request, permissions, onShow),
    );
    return [];
  }
}

function reportOutcome(
  request: TransferRequest,
  { done, failed, unprocessed }: TransferOutcome,
  permissions: TransferPermissions,
  operations: readonly string[],
  onShow: ShowResult | undefined,
): void {
  const { kind, entries, destination } = request;
  const sources = foldersOf(entries.map(({ path }) => path));
  if (kind === 'move') forgetInClipboard(done.map(({ item }) => item.entry.path));
  announceChange({
    folders: [...sources, destination],
    ...(kind === 'move' && { moved: movesOf(done) }),
    reveal: done.map(({ result }) => result),
  });
  if (failed.length > 0) {
    reportFailures({
      kind,
      total: entries.length,
      failed: failed.map(({ item, error }) => ({ path: item.entry.path, error })),
      summary: transferFailureText(request, failed.length),
      retry: () => {
        const failedEntries = failed.map(({ item }) => item.entry);
        void transferEntries({ ...request, entries: failedEntries }, permissions, onShow);
      },
    });
  } else if (unprocessed.length > 0) toastUnprocessed(unprocessed.length);
  if (done.length === 0) return;
  const first = done[0]?.result;
  const show = onShow && first !== undefined ? () => onShow(first) : undefined;
  toastDone(doneText(request, done), operations.length > 0 ? operations : undefined, show);
}

function doneText({ kind, destination }: TransferRequest, done: TransferOutcome['done']): string {
  const folder = folderName(destination);
  const only = done.length === 1 ? done[0] : undefined;
  if (only) {
    const name = isolateBidi(nameOf(only.result));
    return filesText(kind === 'move' ? 'done.movedOne' : 'done.copiedOne', { name, folder });
  }
  return filesText(kind === 'move' ? 'done.movedMany' : 'done.copiedMany', {
    ...pluralValues(done.length),
    folder,
  });
}

function transferFailureText({ kind, entries }: TransferRequest, failed: number): string {
  const only = entries.length === 1 ? entries[0] : undefined;
  if (only) {
    return filesText(kind === 'move' ? 'failed.moveOne' : 'failed.copyOne', { name: isolateBidi(only.name) });
  }
  return filesText(kind === 'move' ? 'failed.moveMany' : 'failed.copyMany', {
    ...pluralValues(failed),
    total: pluralValues(entries.length).number,
  });
}
