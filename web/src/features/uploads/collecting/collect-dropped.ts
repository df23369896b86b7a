import type { Dropped } from './take-dropped.ts';
import type { CollectedItems, UploadItem } from './upload-item.ts';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

/** Returns all entries of one folder. A reader returns them in batches (100 in Chromium) until one is empty. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/**
 * Walks dropped entries with an explicit stack, so that depth does not use the call stack. Each folder comes before its
 * content; empty folders are kept. An entry that cannot be read is added to `unreadable`, and the walk continues.
 */
export async function walkEntries(roots: readonly FileSystemEntry[]): Promise<CollectedItems> {
  const items: UploadItem[] = [];
  const unreadable: string[] = [];
  const stack = roots.map((entry) => ({ entry, relativePath: entry.name })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { entry, relativePath } = next;
    try {
      if (isFile(entry)) {
        items.push({ kind: 'file', relativePath, file: await fileOf(entry) });
      } else if (isFolder(entry)) {
        items.push({ kind: 'folder', relativePath });
        const children = await childrenOf(entry);
        for (const child of children.reverse()) {
          stack.push({ entry: child, relativePath: `${relativePath}/${child.name}` });
        }
      }
    } catch {
      unreadable.push(relativePath);
    }
  }
  return { items, unreadable };
}

/** Collects everything that was dropped, including folders. */
export async function collectDropped({ entries, files, handles }: Dropped): Promise<CollectedItems> {
  const [{ items, unreadable }, ...known] = await Promise.all([walkEntries(entries), ...handles]);
  const fileHandles = new Map<string, FileSystemFileHandle>();
  const folderHandles = new Map<string, FileSystemDirectoryHandle>();
  for (const handle of known) {
    if (handle?.kind === 'file') fileHandles.set(handle.name, handle as FileSystemFileHandle);
    if (handle?.kind === 'directory') folderHandles.set(handle.name, handle as FileSystemDirectoryHandle);
  }
  const filesWithoutEntry = files.map((file): UploadItem => ({
    kind: 'file',
    relativePath: file.name,
    file,
  }));
  const withHandles = items.map((item): UploadItem => {
    if (item.kind === 'folder') return item;
    const { relativePath, file } = item;
    return { kind: 'file', relativePath, file, handle: fileHandles.get(relativePath) };
  });
  return { items: [...withHandles, ...filesWithoutEntry], unreadable, folderHandles };
}
