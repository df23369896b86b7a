import { nameOf } from '@filestead/contract/paths/virtual-path';
import { collectFromHandle } from '../collecting/collect-from-handle.ts';
import type { CollectedItems, UploadItem } from '../collecting/upload-item.ts';
import type { UploadQueue } from '../queue/upload-queue.ts';
import { mayRead } from './file-handles.ts';
import type { InterruptedFolder, InterruptedUpload, UnfinishedUploads } from './unfinished-uploads.ts';

/** The result of an attempt to resume: `other` means that the file or folder is not the interrupted one, or has changed. */
export type ResumeResult = 'resumed' | 'denied' | 'other';

/** Whether `file` has the size and the modification time of the file that was being uploaded. */
const isUnchanged = (file: File, { size, modifiedMs }: InterruptedUpload): boolean =>
  size === file.size && (modifiedMs === null || modifiedMs === file.lastModified);

/** Matches `files` with uploads, at most one upload per file. */
export function matchUploads(files: readonly File[], uploads: readonly InterruptedUpload[]) {
  const unmatchedUploads = new Set(uploads);
  const matched: { path: InterruptedUpload['path']; file: File; override: boolean }[] = [];
  /** Files that belong to none of the uploads. */
  const unmatched: File[] = [];
  for (const file of files) {
    const upload = [...unmatchedUploads].find(
      (candidate) => nameOf(candidate.path) === file.name && isUnchanged(file, candidate),
    );
    if (upload) {
      unmatchedUploads.delete(upload);
      matched.push({ path: upload.path, override: upload.override, file });
    } else {
      unmatched.push(file);
    }
  }
  return { matched, unmatched };
}

/** Continues an upload by its handle. Must be called within a click, because the browser may ask for permission. */
export async function resumeByHandle(upload: InterruptedUpload, queue: UploadQueue): Promise<ResumeResult> {
  const { handle, path, override } = upload;
  if (handle === null || !(await mayRead(handle))) return 'denied';
  let file: File;
  try {
    file = await handle.getFile();
  } catch {
    return 'other';
  }
  if (!isUnchanged(file, upload)) return 'other';
  queue.resumeFiles([{ path, file, override, handle }]);
  return 'resumed';
}

/** The parts of the page that continue folders. */
interface FolderParts {
  readonly queue: UploadQueue;
  readonly unfinished: UnfinishedUploads;
  /** Whether the user may overwrite files. */
  readonly canReplace: boolean;
}

/**
 * Sends the files of a folder that have not arrived yet. The user has chosen the folder again; its content is below its name in
 * `items`. Files that were sent before and have not changed are skipped.
 */
export async function resumeFolder(
  folder: InterruptedFolder,
  { items }: CollectedItems,
  { queue, unfinished, canReplace }: FolderParts,
): Promise<ResumeResult> {
  const prefix = `${folder.name}/`;
  const inside = items.flatMap((item): UploadItem[] =>
    item.relativePath.startsWith(prefix)
      ? [{ ...item, relativePath: item.relativePath.slice(prefix.length) }]
      : [],
  );
  if (inside.length === 0) return 'other';
  const hasArrived = await unfinished.arrivedFiles(folder.id);
  const missing = inside.filter(
    (item) =>
      item.kind === 'folder' || !hasArrived(item.relativePath, item.file.size, item.file.lastModified),
  );
  if (missing.every(({ kind }) => kind === 'folder')) {
    // The other files are no longer in the folder.
    await unfinished.discardFolder(folder);
    return 'resumed';
  }
  unfinished.releaseFolder(folder.id);
  // More may have arrived since the list was read.
  const arrived = inside.length - missing.length;
  await queue.enqueue({
    destination: folder.path,
    items: missing,
    canReplace,
    completes: { id: folder.id, files: folder.files - arrived },
  });
  return 'resumed';
}

/** Continues a folder by its handle. Must be called within a click. */
export async function resumeFolderByHandle(
  folder: InterruptedFolder,
  parts: FolderParts,
): Promise<ResumeResult> {
  const { handle } = folder;
  if (handle === null || !(await mayRead(handle))) return 'denied';
  return resumeFolder(folder, await collectFromHandle(handle), parts);
}
