import type { CollectedItems, UploadItem } from './upload-item.ts';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

/** All entries of one folder. A reader hands them out in batches (100 in Chromium) until one is empty. */
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
 * Walks dropped entries with a stack of its own, so that depth costs no call frames. Each folder comes before its
 * contents; empty folders are kept. An entry that cannot be read is named in `unreadable` and the walk goes on.
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

/**
 * Everything that was dropped, folders included. Must be called within the drop event: the browser empties the
 * transfer as soon as the event is over, so the entries are taken before anything is awaited.
 */
export function collectDropped(transfer: DataTransfer): Promise<CollectedItems> {
  const entries: FileSystemEntry[] = [];
  const loose: UploadItem[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    if (entry) {
      entries.push(entry);
      continue;
    }
    // Things without a file system entry, such as a picture dragged out of another page.
    const file = item.getAsFile();
    if (file) loose.push({ kind: 'file', relativePath: file.name, file });
  }
  return walkEntries(entries).then(({ items, unreadable }) => ({ items: [...items, ...loose], unreadable }));
}
