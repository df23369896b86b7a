import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Conflict, ConflictAnswer, ConflictSide } from '../queue/conflict-queue.ts';
import { freeName } from './free-name.ts';
import { nextTask } from '../queue/next-task.ts';
import type { UploadItem } from './upload-item.ts';

/** The entries of a folder on the server, by name. */
export type FolderNames = ReadonlyMap<string, ConflictSide>;

/** One item with the place where it goes. */
export interface PlannedUpload {
  readonly item: UploadItem;
  /** Null when the server would refuse the name (too long, control characters). */
  readonly path: VirtualPath | null;
  /** The user has said that the file there may be replaced. */
  readonly override: boolean;
}

export interface BatchPlan {
  readonly uploads: PlannedUpload[];
  /** Items left out because the user chose to skip them or a folder above them. */
  readonly skipped: number;
}

interface BatchQuestions {
  destination: VirtualPath;
  items: readonly UploadItem[];
  /** The entries of a folder; an empty map when they cannot be had: the server refuses conflicts anyway. */
  listFolder: (path: VirtualPath) => Promise<FolderNames>;
  ask: (conflict: Conflict) => Promise<ConflictAnswer>;
}

const parentOfRelative = (relativePath: string): string =>
  relativePath.slice(0, Math.max(0, relativePath.lastIndexOf('/')));
const nameOfRelative = (relativePath: string): string =>
  relativePath.slice(relativePath.lastIndexOf('/') + 1);

const sideOf = (item: UploadItem): ConflictSide =>
  item.kind === 'file'
    ? { isFolder: false, size: item.file.size, modifiedMs: item.file.lastModified }
    : { isFolder: true, size: 0, modifiedMs: null };

/**
 * Finds, before anything is sent, which items collide with what is there, has each collision answered and gives every
 * item its final path. Folders that exist on both sides at the top are asked about (merge, keep both, skip); once a
 * folder is merged, folders below it merge too and only its files are asked about. Returns null when the user cancels.
 */
export async function planBatch({
  destination,
  items,
  listFolder,
  ask,
}: BatchQuestions): Promise<BatchPlan | null> {
  /** Folders that exist on both sides, by relative path, with what they hold on the server; '' is the destination. */
  const shared = new Map<string, FolderNames>([['', await listFolder(destination)]]);
  const namesInBatch = new Map<string, Set<string>>();
  const answers = new Map<string, ConflictAnswer>();

  for (const { relativePath } of items) {
    const parent = parentOfRelative(relativePath);
    const names = namesInBatch.get(parent);
    if (names) names.add(nameOfRelative(relativePath));
    else namesInBatch.set(parent, new Set([nameOfRelative(relativePath)]));
  }

  const conflictOf = (item: UploadItem, existing: ConflictSide): Conflict | null => {
    const path = placeOf(destination, item.relativePath);
    if (!path) return null;
    return { path, incoming: sideOf(item), existing, ...(item.kind === 'file' && { file: item.file }) };
  };
  const askAll = async (found: readonly { item: UploadItem; existing: ConflictSide }[]): Promise<boolean> => {
    const given = await Promise.all(
      found.map(async ({ item, existing }) => {
        const conflict = conflictOf(item, existing);
        if (conflict) answers.set(item.relativePath, await ask(conflict));
      }),
    );
    return given.length === 0 || ![...answers.values()].includes('cancel');
  };

  const folders = items.flatMap((item) => {
    const existing = item.kind === 'folder' ? shared.get('')?.get(item.relativePath) : undefined;
    return existing ? [{ item, existing }] : [];
  });
  if (!(await askAll(folders))) return null;

  const collisions: { item: UploadItem; existing: ConflictSide }[] = [];
  for (const item of items) {
    const names = shared.get(parentOfRelative(item.relativePath));
    const existing = names?.get(nameOfRelative(item.relativePath));
    if (!existing) continue;
    if (item.kind === 'folder' && existing.isFolder) {
      const answer = answers.get(item.relativePath) ?? 'merge';
      const path = answer === 'merge' ? placeOf(destination, item.relativePath) : null;
      if (path) shared.set(item.relativePath, await listFolder(path));
    } else if (!answers.has(item.relativePath)) {
      collisions.push({ item, existing });
    }
  }
  if (!(await askAll(collisions))) return null;

  return place({ destination, items, answers, shared, namesInBatch });
}

/** `relativePath` below `destination`, or null when it is no acceptable path. */
function placeOf(destination: VirtualPath, relativePath: string): VirtualPath | null {
  try {
    return relativePath.split('/').reduce(childOf, destination);
  } catch {
    return null;
  }
}

interface Placement {
  destination: VirtualPath;
  items: readonly UploadItem[];
  answers: ReadonlyMap<string, ConflictAnswer>;
  shared: ReadonlyMap<string, FolderNames>;
  namesInBatch: ReadonlyMap<string, Set<string>>;
}

/** Items that are placed in one go: a few milliseconds, so that tens of thousands never hold the page up. */
const itemsPerTask = 1000;

/** Carries the answers out: leaves items out, renames them, and lets whatever a folder holds follow it. */
async function place({ destination, items, answers, shared, namesInBatch }: Placement): Promise<BatchPlan> {
  const uploads: PlannedUpload[] = [];
  let skipped = 0;
  /** The final place of each folder met so far, by relative path. */
  const folders = new Map<string, VirtualPath | 'skipped' | null>([['', destination]]);
  for (const [index, item] of items.entries()) {
    if (index % itemsPerTask === itemsPerTask - 1) await nextTask();
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
        (candidate) => shared.get(parentPath)?.has(candidate) === true || names?.has(candidate) === true,
      );
      names?.add(name);
    }
    // A parent that is not among the items was never a question: the path below the destination stands.
    const folder = parent === undefined ? placeOf(destination, parentPath) : parent;
    const path = folder === null ? null : placeOf(folder, name);
    if (item.kind === 'folder') folders.set(relativePath, path);
    uploads.push({ item, path, override: answer === 'replace' });
  }
  return { uploads, skipped };
}
