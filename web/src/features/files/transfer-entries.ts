import { nameOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { announceChange, foldersOf } from './changes.ts';
import { forgetInClipboard } from './clipboard.ts';
import { isolated, RefusedError } from './failure.ts';
import { askConflict } from './prompts/prompt-store.ts';
import { runMany } from './run-many.ts';
import { runTask } from './tasks.ts';
import { counted, filesText, folderName, toastDone, toastFailure, toastLeft } from './toasts.ts';
import { findExisting } from './transfers/find-existing.ts';
import { planTransfer, type TransferRequest, type TransferStep } from './transfers/plan-transfer.ts';
import { runTransfer, type TransferOutcome } from './transfers/run-transfer.ts';
import { sendStep } from './transfers/send-step.ts';

/**
 * Moves or copies entries into a folder: asks about taken names, shows progress when it takes long, says how it went and
 * offers to take a move back. Returns where the entries lie now. Throws nothing.
 */
export async function transferEntries(request: TransferRequest, canReplace: boolean): Promise<VirtualPath[]> {
  const { kind, entries, destination } = request;
  try {
    const plan = await planTransfer(request, { findExisting, ask: askConflict, canReplace });
    if (!plan) return [];
    if (plan.refused.length > 0) {
      toastFailure(
        failureText(request, plan.refused.length),
        new RefusedError(filesText('transfer.intoItself')),
      );
    }
    if (plan.steps.length === 0) {
      if (plan.unmoved > 0 && plan.refused.length === 0) toastDone(filesText('done.nothingToMove'));
      return [];
    }
    const outcome = await runTask(
      kind === 'move' ? 'moving' : 'copying',
      plan.steps.length,
      (signal, onProgress) =>
        runTransfer({
          kind,
          steps: plan.steps,
          send: sendStep,
          findExisting,
          ask: askConflict,
          canReplace,
          signal,
          onProgress,
        }),
    );
    tellOutcome(request, outcome);
    return outcome.done.map(({ result }) => result);
  } catch (error) {
    announceChange({ folders: [...foldersOf(entries.map(({ path }) => path)), destination] });
    toastFailure(failureText(request, entries.length), error);
    return [];
  }
}

function tellOutcome(request: TransferRequest, { done, failed, left }: TransferOutcome): void {
  const { kind, entries, destination } = request;
  const sources = foldersOf(entries.map(({ path }) => path));
  if (kind === 'move') forgetInClipboard(done.map(({ item }) => item.entry.path));
  announceChange({
    folders: [...sources, destination],
    ...(kind === 'move' && { moved: movesOf(done) }),
    reveal: done.map(({ result }) => result),
  });
  const first = failed[0];
  if (first) toastFailure(failureText(request, failed.length), first.error);
  else if (left.length > 0) toastLeft(left.length);
  if (done.length === 0) return;
  // What was replaced or merged cannot be taken apart again; a copy is simply deleted by who does not want it.
  const isUndoable = kind === 'move' && done.every(({ item }) => item.mode !== 'overwrite');
  toastDone(
    doneText(request, done),
    isUndoable ? () => moveBack(done, [...sources, destination]) : undefined,
  );
}

type Done = TransferOutcome['done'];

const movesOf = (done: Done) => done.map(({ item, result }) => ({ entry: item.entry, to: result }));

async function moveBack(done: Done, folders: readonly VirtualPath[]): Promise<void> {
  const steps = done.map(({ item, result }): TransferStep => ({
    entry: { ...item.entry, path: result, name: nameOf(result) },
    to: item.entry.path,
    mode: 'plain',
  }));
  const { done: back, failed } = await runTask('moving', steps.length, (signal, onProgress) =>
    runMany({ items: steps, run: (step) => sendStep('move', step), signal, onProgress }),
  );
  announceChange({ folders, moved: movesOf(back), reveal: back.map(({ result }) => result) });
  const first = failed[0];
  if (first) throw first.error;
}

function doneText({ kind, destination }: TransferRequest, done: Done): string {
  const folder = folderName(destination);
  const only = done.length === 1 ? done[0] : undefined;
  if (only) {
    const name = isolated(nameOf(only.result));
    return filesText(kind === 'move' ? 'done.movedOne' : 'done.copiedOne', { name, folder });
  }
  return filesText(kind === 'move' ? 'done.movedMany' : 'done.copiedMany', {
    ...counted(done.length),
    folder,
  });
}

function failureText({ kind, entries }: TransferRequest, failed: number): string {
  const only = entries.length === 1 ? entries[0] : undefined;
  if (only) {
    return filesText(kind === 'move' ? 'failed.moveOne' : 'failed.copyOne', { name: isolated(only.name) });
  }
  return filesText(kind === 'move' ? 'failed.moveMany' : 'failed.copyMany', {
    failed: counted(failed).number,
    total: counted(entries.length).number,
  });
}
