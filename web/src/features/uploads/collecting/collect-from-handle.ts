import type { CollectedItems, UploadItem } from './upload-item.ts';

/** The method that lists the entries of a folder handle; TypeScript does not declare it. */
interface IterableHandle {
  values(): AsyncIterable<FileSystemFileHandle | FileSystemDirectoryHandle>;
}

/**
 * Collects the entries of a folder from its handle, each folder before its content. Entries that cannot be read are listed
 * in `unreadable`.
 */
export async function collectFromHandle(root: FileSystemDirectoryHandle): Promise<CollectedItems> {
  const items: UploadItem[] = [];
  const unreadable: string[] = [];
  const stack: { handle: FileSystemFileHandle | FileSystemDirectoryHandle; relativePath: string }[] = [
    { handle: root, relativePath: root.name },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { handle, relativePath } = next;
    try {
      if (handle.kind === 'file') {
        items.push({ kind: 'file', relativePath, file: await handle.getFile() });
        continue;
      }
      items.push({ kind: 'folder', relativePath });
      const children: typeof stack = [];
      for await (const child of (handle as unknown as IterableHandle).values())
        children.push({ handle: child, relativePath: `${relativePath}/${child.name}` });
      stack.push(...children.reverse());
    } catch {
      unreadable.push(relativePath);
    }
  }
  return { items, unreadable };
}
