import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEvents } from '../access/file-events.ts';
import type { Operation } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import type {
  LeftState,
  NewStep,
  OperationRepository,
  ShareChange,
  StoredStep,
} from '../database/operation-repository.ts';
import type { PlacedKept } from '../database/trash-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { KeepOptions, KeptEntry } from '../storage/kept/kept-entries.ts';
import type { RemoveOptions, Storage } from '../storage/storage.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import { assertMovedHere, assertUnchanged, type ExamineStep, pathOf } from './examine-step.ts';
import { leftStateOf } from './left-state.ts';
import { loggedOf } from './logged-operation.ts';
import type { OperationLog } from './operation-log.ts';
import type { RestoreKept } from './restore-kept.ts';

/** The file operations of requests, with all their checks. */
export interface UndoActions {
  /** Moves an entry and resolves to its path: `to`, or the next free name. */
  readonly move: (
    storage: Storage,
    move: {
      readonly from: VirtualPath;
      readonly to: VirtualPath;
      /** Whether only the letter case of the name changes. */
      readonly isSameEntry: boolean;
      readonly scope: string;
      readonly beforeChange: (destination: VirtualPath) => Promise<void>;
      readonly keeping: KeepOptions;
      readonly signal: AbortSignal;
    },
  ) => Promise<VirtualPath>;
  readonly remove: (storage: Storage, path: VirtualPath, options: RemoveOptions) => Promise<unknown>;
  readonly createFolder: (storage: Storage, path: VirtualPath) => Promise<void>;
  /** Restores an item of the trash to its place, or beside it, and resolves to its path. */
  readonly restoreItem: (operation: Operation, id: string, signal: AbortSignal) => Promise<VirtualPath>;
  /** Restores a former state of a file. */
  readonly restoreVersion: (operation: Operation, kept: PlacedKept, target: RestoreKept) => Promise<void>;
  /**
   * Restores a share, or its options, as they were before the step, and returns the change. Throws `changed_since` if the share has
   * changed in another way, `forbidden`, `not_found`, `too_many_shares`. With `isCheck` nothing changes.
   */
  readonly undoShare: (
    userContext: UserContext,
    step: StoredStep,
    options: { readonly isCheck: boolean },
  ) => Promise<ShareChange>;
  /** Cancels a deletion forever. Throws `not_found`. */
  readonly cancelPurge: (id: string, userId: number) => Promise<void>;
}

/** The parts of the server that {@link undoStep} uses. */
export interface UndoParts extends ExamineStep {
  readonly repository: OperationRepository;
  readonly log: OperationLog;
  readonly events: FileEvents;
  readonly actions: UndoActions;
}

/** The result of undoing a step. */
export interface UndoneStep {
  /** The path of the restored or moved entry; null if an entry was removed. */
  readonly path: VirtualPath | null;
  /** The folders that have changed. */
  readonly folders: readonly VirtualPath[];
}

/** One step with the operation that undoes it. */
interface StepUndo {
  readonly step: StoredStep;
  readonly operation: Operation;
  readonly storage: NarrowedStorage;
  readonly path: VirtualPath;
  readonly signal: AbortSignal;
}

/**
 * Undoes one step with the current permissions of the user of `operation`, as a part of that operation. Throws `changed_since`;
 * `not_found` if the deleted or replaced entry no longer exists or the place is outside the user’s scope; `cannot_keep`
 * if the trash is off; and the errors of the changes.
 */
export async function undoStep(
  parts: UndoParts,
  operation: Operation,
  step: StoredStep,
  signal: AbortSignal,
): Promise<UndoneStep> {
  if (step.isUndone) throw new AppError('changed_since');
  const storage = await operation.userContext.storage();
  // An administrator may have changed a share outside their scope.
  const path = step.act === 'shared' ? step.path : pathOf(storage, step.path);
  operation.undoing = step.id;
  try {
    const undone = await acts[step.act](parts, { step, operation, storage, path, signal });
    await parts.repository.markUndone(step.id);
    return undone;
  } finally {
    operation.undoing = null;
  }
}

type UndoAct = (parts: UndoParts, undo: StepUndo) => Promise<UndoneStep>;

const acts: Readonly<Record<StoredStep['act'], UndoAct>> = {
  created: trashCreated,
  replaced: restoreReplaced,
  moved: moveBack,
  deleted: restoreDeleted,
  removed: recreateFolder,
  parent: trashEmptyParent,
  purged: cancelPurge,
  shared: undoShare,
};

const leftOf = ({ left }: StoredStep): LeftState => {
  if (left === null) throw new AppError('not_found');
  return left;
};

async function trashCreated(
  { events, actions, keepsDeleted }: UndoParts,
  { step, operation, storage, path, signal }: StepUndo,
): Promise<UndoneStep> {
  const { userContext } = operation;
  const left = leftOf(step);
  const kept: KeptEntry[] = [];
  const keeping = operation.deleteOptions(kept);
  // An undo never destroys data.
  if (!keepsDeleted || keeping === null) throw new AppError('cannot_keep');
  await assertUnchanged(storage, path, left, signal);
  const change = { event: 'delete', userContext, path, destination: null, operation, kept } as const;
  await events.runWhenReady(change, (begin) =>
    actions.remove(storage, path, {
      ...keeping,
      beforeChange: async () => {
        await begin();
        await assertUnchanged(storage, path, left, signal);
      },
      signal,
    }),
  );
  return { path: null, folders: [parentOf(path)] };
}

/** Moves a parent folder that an operation has created to the trash; one with entries of others, or another one, stays. */
async function trashEmptyParent(parts: UndoParts, undo: StepUndo): Promise<UndoneStep> {
  const { storage, path, signal } = undo;
  const stays = { path, folders: [] };
  try {
    for await (const _ of storage.walk(path, { signal })) return stays;
    return await trashCreated(parts, undo);
  } catch (error) {
    if (isAppError(error) && !signal.aborted) return stays;
    throw error;
  }
}

async function keptOf({ findKept }: UndoParts, { keptId }: StoredStep): Promise<PlacedKept> {
  const kept = keptId === null ? null : await findKept(keptId);
  if (kept === null) throw new AppError('not_found');
  return kept;
}

async function restoreReplaced(
  parts: UndoParts,
  { step, operation, storage, path, signal }: StepUndo,
): Promise<UndoneStep> {
  const kept = await keptOf(parts, step);
  const left = leftOf(step);
  const check = async (): Promise<void> => void (await assertUnchanged(storage, path, left, signal));
  await check();
  // The current file has the same content.
  if (kept.isUnchanged) return { path, folders: [] };
  await parts.actions.restoreVersion(operation, kept, {
    to: path,
    replaces: true,
    beforeChange: check,
    signal,
  });
  return { path, folders: [parentOf(path)] };
}

async function moveBack(
  parts: UndoParts,
  { step, operation, storage, path, signal }: StepUndo,
): Promise<UndoneStep> {
  const { events, actions } = parts;
  const { userContext } = operation;
  const left = leftOf(step);
  if (step.from === null) throw new AppError('not_found');
  const to = pathOf(storage, step.from);
  const entry = await assertMovedHere(storage, path, left);
  const occupant = await storage.stat(to);
  const isSameEntry = occupant?.inode !== undefined && occupant.inode === entry.inode;
  const kept: KeptEntry[] = [];
  const change = { event: 'rename', userContext, path, destination: to, operation, kept } as const;
  const final = await events.runWhenReady(
    change,
    (begin) =>
      actions.move(storage, {
        from: path,
        to,
        isSameEntry,
        scope: userContext.user.scope,
        beforeChange: async (destination) => {
          await begin(destination);
          await assertMovedHere(storage, path, left);
        },
        keeping: operation.keepOptions('move', kept),
        signal,
      }),
    (moved) => moved,
  );
  // The replaced file may have been removed forever; its name is free then.
  const replaced = step.keptId === null ? null : await parts.findKept(step.keptId);
  if (replaced !== null) {
    const target = { to: path, replaces: false, beforeChange: async () => undefined, signal };
    await parts.actions.restoreVersion(operation, replaced, target);
  }
  return { path: final, folders: [parentOf(path), parentOf(final)] };
}

async function restoreDeleted(
  { actions }: UndoParts,
  { step, operation, signal }: StepUndo,
): Promise<UndoneStep> {
  if (step.keptId === null) throw new AppError('not_found');
  const path = await actions.restoreItem(operation, step.keptId, signal);
  return { path, folders: [parentOf(path)] };
}

async function recreateFolder(
  { actions, log }: UndoParts,
  { operation, storage, path }: StepUndo,
): Promise<UndoneStep> {
  if ((await storage.stat(path)) === null) {
    await actions.createFolder(storage, path);
    await logCreatedFolder(log, operation, storage, path);
  }
  return { path: null, folders: [parentOf(path)] };
}

/** Logs a folder that an operation has created. */
export async function logCreatedFolder(
  log: OperationLog,
  operation: Operation,
  storage: Storage,
  path: VirtualPath,
): Promise<void> {
  const entry = await storage.stat(path);
  if (entry === null) return;
  const place = storage.toPlace(path);
  const step: NewStep = {
    act: 'created',
    path: place,
    from: null,
    keptId: null,
    left: leftStateOf(entry),
    undoes: operation.undoing,
  };
  log.add(loggedOf(operation), [step]);
}

async function cancelPurge(parts: UndoParts, undo: StepUndo): Promise<UndoneStep> {
  const { actions, log } = parts;
  const { step, operation } = undo;
  const { keptId } = step;
  if (keptId === null) throw new AppError('not_found');
  await actions.cancelPurge(keptId, operation.userContext.user.id);
  if (step.from !== null) return restoreDeleted(parts, undo);
  // The entry is in the trash again. Undoing this step would delete it forever without asking, so it has no `keptId`.
  log.add(loggedOf(operation), [
    { act: 'purged', path: step.path, from: null, keptId: null, left: null, undoes: step.id },
  ]);
  return { path: null, folders: [] };
}

async function undoShare({ actions, log }: UndoParts, { step, operation }: StepUndo): Promise<UndoneStep> {
  const share = await actions.undoShare(operation.userContext, step, { isCheck: false });
  logShare(log, operation, { ...step, undoes: step.id, share });
  return { path: null, folders: [] };
}

/** Logs the change of a share of an entry. */
export function logShare(
  log: OperationLog,
  operation: Operation,
  { path, left, undoes, share }: Pick<NewStep, 'path' | 'left' | 'undoes'> & { readonly share: ShareChange },
): void {
  log.add(loggedOf(operation), [{ act: 'shared', path, from: null, keptId: null, left, undoes, share }]);
}
