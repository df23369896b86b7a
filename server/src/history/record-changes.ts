import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileChange, FileChangeListener, Notified } from '../access/file-events.ts';
import type { NewStep } from '../database/operation-repository.ts';
import type { MergedEntry } from '../storage/kept/kept-entries.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { leftStateOf } from './left-state.ts';
import type { OperationLog } from './operation-log.ts';
import { loggedOf } from './logged-operation.ts';

/** The dependencies of the listeners. */
export interface RecordChanges {
  readonly log: OperationLog;
  /** Rooted at the served folder. */
  readonly storage: Storage;
}

/** A change of files by an operation, in paths of the served root. */
interface PlacedChange {
  readonly change: FileChange;
  readonly place: VirtualPath;
  readonly destination: VirtualPath | null;
  /** The ids of kept entries by their places. */
  readonly keptIds: ReadonlyMap<VirtualPath, string>;
  /** The step of another operation that the change undoes. */
  readonly undoes: number | null;
}

/**
 * Stores pending steps before the places of folders change, because steps refer to places. Has to be subscribed before the
 * listener that changes places.
 */
export const storeBeforeMoves = ({ log }: Pick<RecordChanges, 'log'>): FileChangeListener => {
  const flush = ({ event, kept = [] }: FileChange): Notified => {
    const movesFolders =
      event === 'rename' || event === 'restore' || kept.some(({ kind }) => kind === 'folder');
    return movesFolders && log.hasPending ? log.flush() : undefined;
  };
  return { after: flush, aborted: flush };
};

/**
 * Logs the changes that belong to operations. Has to be subscribed after the listener that changes places, so that steps refer
 * to the places of folders after the change.
 */
export function recordChanges(parts: RecordChanges): FileChangeListener {
  const record = async (change: FileChange, isComplete: boolean): Promise<void> => {
    const { operation, userContext, kept = [] } = change;
    if (operation === undefined) return;
    const storage = await userContext.storage();
    const placed: PlacedChange = {
      change,
      place: storage.toPlace(change.path),
      destination: change.destination === null ? null : storage.toPlace(change.destination),
      keptIds: new Map(kept.map(({ place, id }) => [place, id])),
      undoes: operation.undoing,
    };
    const merged = operation.takeMerged();
    const parents = operation.takeParents();
    const steps = isComplete || merged.length > 0 ? await stepsOf(parts.storage, placed, merged) : [];
    // Before those of the entries in them: the latest step is undone first.
    if (steps.length > 0) steps.unshift(...(await stepsOfParents(parts.storage, placed, parents)));
    if (!isComplete && change.event === 'delete') steps.push(...deletionsOf(placed.keptIds, placed.undoes));
    if (steps.length > 0) parts.log.add(loggedOf(operation), steps);
  };
  return {
    after: (change) => record(change, true),
    aborted: (change) => record(change, false),
  };
}

/** Returns the steps of parent folders that were created, if they exist. */
async function stepsOfParents(
  storage: Storage,
  { undoes }: PlacedChange,
  parents: readonly VirtualPath[],
): Promise<NewStep[]> {
  const steps: NewStep[] = [];
  for (const path of parents) {
    const folder = await storage.stat(path);
    if (folder !== null)
      steps.push({ act: 'parent', path, from: null, keptId: null, left: leftStateOf(folder), undoes });
  }
  return steps;
}

/** Returns the steps of deleted entries, which are given with their places. */
export const deletionsOf = (
  deleted: Iterable<readonly [VirtualPath, string]>,
  undoes: number | null,
): NewStep[] =>
  Array.from(deleted, ([path, keptId]) => ({
    act: 'deleted' as const,
    path,
    from: null,
    keptId,
    left: null,
    undoes,
  }));

/** Whether the file at `path`, which may lead through a symbolic link, is among those that were replaced without being kept. */
function wasLost(lost: ReadonlySet<VirtualPath> | undefined, path: VirtualPath): boolean {
  if (lost === undefined || lost.size === 0) return false;
  return lost.has(path) || [...lost].some((other) => nameOf(other) === nameOf(path));
}

/**
 * Returns an extracted folder with the time of the last change of any entry in it: unlike a copied folder, which is renamed when it
 * is complete, it may itself have changed before them. Undefined if it no longer exists.
 */
async function latestState(storage: Storage, path: VirtualPath): Promise<Entry | undefined> {
  const folder = await storage.stat(path);
  if (folder === null) return undefined;
  let latest = folder.changedNs ?? folder.modifiedNs;
  for await (const { entry } of storage.walk(path)) if (entry.modifiedNs > latest) latest = entry.modifiedNs;
  return { ...folder, changedNs: latest };
}

async function stepsOf(
  storage: Storage,
  placed: PlacedChange,
  merged: readonly MergedEntry[],
): Promise<NewStep[]> {
  const { change, place, destination, keptIds, undoes } = placed;
  const { event, keptId = null } = change;
  // The kept entry has its real path, which differs from the requested one behind a symbolic link.
  const onlyId = merged.length === 0 && keptIds.size === 1 ? ([...keptIds.values()][0] ?? null) : null;
  /** The step of an entry that exists now; none if another request has removed it meanwhile. */
  const stepsFor = async (
    path: VirtualPath,
    from: VirtualPath | null = null,
    known?: Entry,
  ): Promise<NewStep[]> => {
    const entry = known ?? (await storage.stat(path));
    if (entry === null) return [];
    const replacedId = keptIds.get(path) ?? onlyId;
    // A file that was replaced without being kept cannot be restored; a step without `keptId` records that.
    const isLost = replacedId === null && wasLost(change.operation?.lost, path);
    const lost: NewStep = { act: 'replaced', path, from: null, keptId: null, left: null, undoes };
    if (isLost && from === null) return [lost];
    const act = from !== null ? 'moved' : replacedId === null ? 'created' : 'replaced';
    const step: NewStep = { act, path, from, keptId: replacedId, left: leftStateOf(entry), undoes };
    return isLost ? [lost, step] : [step];
  };
  if (merged.length > 0) {
    const steps: NewStep[] = [];
    for (const { act, path, from } of merged) {
      if (act === 'removed' && event === 'rename')
        steps.push({ act, path, from: null, keptId: null, left: null, undoes });
      // Entries of a merged restoration came from a store, so they have no former path.
      else if (act === 'moved' || act === 'created')
        steps.push(...(await stepsFor(path, event === 'rename' ? from : null)));
    }
    return steps;
  }
  switch (event) {
    case 'upload':
    case 'save':
      return stepsFor(place, null, change.entry);
    case 'copy':
      if (destination !== null && change.operation?.kind === 'extract')
        return stepsFor(destination, null, await latestState(storage, destination));
      return destination === null ? [] : stepsFor(destination);
    case 'restore':
      return destination === null ? [] : stepsFor(destination);
    case 'rename':
      return destination === null ? [] : stepsFor(destination, place);
    case 'delete':
      if (keptIds.size > 0 && change.isPermanent !== true) return deletionsOf(keptIds, undoes);
      // `from` tells a deletion forever that an undo restores from one in the trash, which it only cancels.
      return [{ act: 'purged', path: place, from: place, keptId: onlyId, left: null, undoes }];
    case 'purge':
      return [{ act: 'purged', path: place, from: null, keptId, left: null, undoes }];
  }
}
