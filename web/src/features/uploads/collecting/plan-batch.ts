import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UploadConflict, UploadConflictSide } from '../queue/conflict-queue.ts';
import type { ConflictChoice } from '../../../ui/conflicts/conflict.ts';
import { freeName } from './free-name.ts';
import { createYielder } from '../../../api/yield-to-event-loop.ts';
import type { UploadItem } from './upload-item.ts';

/** The entries of a folder on the server, by name. */
export type FolderNames = ReadonlyMap<string, UploadConflictSide>;

/** One item with its destination. */
export interface PlannedUpload {
  readonly item: UploadItem;
  /** Null if the server would refuse the name (too long, control characters). */
  readonly path: VirtualPath | null;
  /** Whether the user has agreed to overwrite an existing file. */
  readonly override: boolean;
}

export interface BatchPlan {
  readonly uploads: PlannedUpload[];
  /** Number of items that were omitted because the user skipped them or a folder above them. */
  readonly skipped: number;
}

interface BatchOptions {
  destination: VirtualPath;
  items: readonly UploadItem[];
  /** Lists a folder; resolves to an empty map if that fails, because the server refuses conflicts anyway. */
  listFolder: (path: VirtualPath) => Promise<FolderNames>;
  ask: (conflict: UploadConflict) => Promise<ConflictChoice>;
  /** Merges existing folders without asking, because their upload continues. */
  mergesFolders?: boolean | undefined;
}

const parentOfRelative = (relativePath: string): string =>
  relativePath.slice(0, Math.max(0, relativePath.lastIndexOf('/')));
const nameOfRelative = (relativePath: string): string =>
  relativePath.slice(relativePath.lastIndexOf('/') + 1);

const sideOf = (item: UploadItem): UploadConflictSide =>
  item.kind === 'file'
    ? { isFolder: false, size: item.file.size, modifiedMs: item.file.lastModified }
    : { isFolder: true, size: 0, modifiedMs: null };

/**
 * Finds the conflicts of the items with existing entries before anything is sent, asks the user to resolve each, and
 * determines the destination of every item. Folders at the top that exist on both sides are asked about (merge, keep
 * both, skip); once a folder is merged, folders below it are merged too and only its files are asked about. Returns
 * null if the user cancels.
 */
export async function planBatch({
  destination,
  items,
  listFolder,
  ask,
  mergesFolders = false,
}: BatchOptions): Promise<BatchPlan | null> {
  /** Folders that exist on both sides, by relative path, with their entries on the server; '' is the destination. */
  const onBothSides = new Map<string, FolderNames>([['', await listFolder(destination)]]);
  const namesInBatch = new Map<string, Set<string>>();
  const answers = new Map<string, ConflictChoice>();

  for (const { relativePath } of items) {
    const parent = parentOfRelative(relativePath);
    const names = namesInBatch.get(parent);
    if (names) names.add(nameOfRelative(relativePath));
    else namesInBatch.set(parent, new Set([nameOfRelative(relativePath)]));
  }

  const conflictOf = (item: UploadItem, existing: UploadConflictSide): UploadConflict | null => {
    const path = pathBelow(destination, item.relativePath);
    if (!path) return null;
    return { path, incoming: sideOf(item), existing, ...(item.kind === 'file' && { file: item.file }) };
  };
  const askAll = async (
    conflicting: readonly { item: UploadItem; existing: UploadConflictSide }[],
  ): Promise<boolean> => {
    const asked = await Promise.all(
      conflicting.map(async ({ item, existing }) => {
        const conflict = conflictOf(item, existing);
        if (conflict) answers.set(item.relativePath, await ask(conflict));
      }),
    );
    return asked.length === 0 || ![...answers.values()].includes('cancel');
  };

  const folders = items.flatMap((item) => {
    const existing = item.kind === 'folder' ? onBothSides.get('')?.get(item.relativePath) : undefined;
    return existing && !(mergesFolders && existing.isFolder) ? [{ item, existing }] : [];
  });
  if (!(await askAll(folders))) return null;

  const fileConflicts: { item: UploadItem; existing: UploadConflictSide }[] = [];
  for (const item of items) {
    const names = onBothSides.get(parentOfRelative(item.relativePath));
    const existing = names?.get(nameOfRelative(item.relativePath));
    if (!existing) continue;
    if (item.kind === 'folder' && existing.isFolder) {
      const answer = answers.get(item.relativePath) ?? 'merge';
      const path = answer === 'merge' ? pathBelow(destination, item.relativePath) : null;
      if (path) onBothSides.set(item.relativePath, await listFolder(path));
    } else if (!answers.has(item.relativePath)) {
      fileConflicts.push({ item, existing });
    }
  }
  if (!(await askAll(fileConflicts))) return null;

  return applyAnswers({ destination, items, answers, onBothSides, namesInBatch });
}

/** Returns the path of `relativePath` below `destination`, or null if it is invalid. */
export function pathBelow(destination: VirtualPath, relativePath: string): VirtualPath | null {
  try {
    return relativePath.split('/').reduce(childOf, destination);
  } catch {
    return null;
  }
}

interface ResolvedBatch {
  destination: VirtualPath;
  items: readonly UploadItem[];
  answers: ReadonlyMap<string, ConflictChoice>;
  onBothSides: ReadonlyMap<string, FolderNames>;
  namesInBatch: ReadonlyMap<string, Set<string>>;
}

/** Applies the answers: omits or renames items, and gives the content of a renamed folder its new path. */
async function applyAnswers({
  destination,
  items,
  answers,
  onBothSides,
  namesInBatch,
}: ResolvedBatch): Promise<BatchPlan> {
  const uploads: PlannedUpload[] = [];
  let skipped = 0;
  /** The destination of each folder so far, by relative path. */
  const folders = new Map<string, VirtualPath | 'skipped' | null>([['', destination]]);
  const yieldWhenDue = createYielder();
  for (const item of items) {
    await yieldWhenDue();
    const { relativePath } = item;
    const parentPath = parentOfRelative(relativePath);
    const answer = answers.get(relativePath);
    const parent = folders.get(parentPath);
    const isSkipped = answer === 'skip' || parent === 'skipped';
    if (isSkipped) {
      skipped += 1;
      if (item.kind === 'folder') folders.set(relativePath, 'skipped');
      continue;
    }
    let name = nameOfRelative(relativePath);
    if (answer === 'keep_both') {
      const names = namesInBatch.get(parentPath);
      name = freeName(
        name,
        item.kind === 'folder',
        (candidate) => onBothSides.get(parentPath)?.has(candidate) === true || names?.has(candidate) === true,
      );
      names?.add(name);
    }
    // A parent that is not among the items had no conflict: its path below the destination is unchanged.
    const folder = parent === undefined ? pathBelow(destination, parentPath) : parent;
    const path = folder === null ? null : pathBelow(folder, name);
    if (item.kind === 'folder') folders.set(relativePath, path);
    uploads.push({ item, path, override: answer === 'replace' });
  }
  return { uploads, skipped };
}
