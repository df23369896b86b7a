/** The names of the browser’s database and of its only table. */
const databaseName = 'filestead-uploads';
const tableName = 'handles';

/** Opens the database. Rejects if the browser has none, as in some private windows. */
function openHandles(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(tableName));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
  });
}

/** Runs one request in its own transaction. Resolves to null if the browser has no database or the request fails. */
async function inTable<T>(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  let database: IDBDatabase;
  try {
    database = await openHandles();
  } catch {
    return null;
  }
  try {
    return await new Promise<T>((resolve, reject) => {
      const request = work(database.transaction(tableName, mode).objectStore(tableName));
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
    });
  } catch {
    return null;
  } finally {
    database.close();
  }
}

/** The handles of files and folders by the ids of their uploads, with which they can be read again after a reload. */
export interface FileHandles {
  store(id: string, handle: FileSystemHandle): Promise<void>;
  forget(id: string): Promise<void>;
  /** Returns the handles of these uploads, and forgets all others. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, FileSystemHandle>>;
}

/** The handles that this browser stores. Empty in browsers without them, and on insecure connections. */
export const fileHandles: FileHandles = {
  async store(id, handle) {
    await inTable('readwrite', (table) => table.put(handle, id));
  },
  async forget(id) {
    await inTable('readwrite', (table) => table.delete(id));
  },
  async find(ids) {
    const found = new Map<string, FileSystemHandle>();
    if (!('FileSystemHandle' in window)) return found;
    const stored = (await inTable('readonly', (table) => table.getAllKeys())) ?? [];
    for (const key of stored) {
      const id = String(key);
      if (!ids.includes(id)) continue;
      const handle: unknown = await inTable('readonly', (table) => table.get(id));
      if (handle instanceof FileSystemHandle) found.set(id, handle);
    }
    return found;
  },
};

/** Chromium's permission prompt; TypeScript does not declare it. */
interface PermissionPrompt {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
}

/** Asks the user to let the page read a file or folder again. Must be called within a click. */
export async function mayRead(handle: FileSystemHandle): Promise<boolean> {
  const { requestPermission } = handle as FileSystemHandle & PermissionPrompt;
  if (requestPermission === undefined) return true;
  try {
    return (await requestPermission.call(handle, { mode: 'read' })) === 'granted';
  } catch {
    return false;
  }
}
