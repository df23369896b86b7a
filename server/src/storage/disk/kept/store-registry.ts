import fs from 'node:fs';
import { isKeptId, newKeptId } from '../../kept/kept-names.ts';
import { isErrno } from '../paths/syscalls.ts';

/** A store as the registry remembers it. */
export interface RegisteredStore {
  /** The folder that contains it, as a path of the outermost storage. */
  readonly path: string;
  /** The inode of the store folder, which was created by this installation. */
  readonly inode: string;
  /** The position in its ledger up to which interrupted operations were repaired; empty for none. */
  readonly checked: string;
}

interface RegistryContent {
  readonly installation: string;
  readonly stores: readonly RegisteredStore[];
}

const isStore = (value: unknown): value is RegisteredStore =>
  typeof value === 'object' &&
  value !== null &&
  ['path', 'inode', 'checked'].every((key) => typeof Reflect.get(value, key) === 'string');

function parse(text: string): RegistryContent | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const installation: unknown = Reflect.get(value, 'installation');
    const stores: unknown = Reflect.get(value, 'stores');
    if (typeof installation !== 'string' || !isKeptId(installation) || !Array.isArray(stores)) return null;
    return { installation, stores: stores.filter(isStore) };
  } catch {
    return null;
  }
}

/**
 * The file of the data folder that names this installation and the places of its stores. Several installations may share a
 * volume: each one has a folder of its own in the store. Stores are found again without the file, but not recognized as own.
 */
export class StoreRegistry {
  /** Null for one that is not stored. */
  readonly #file: string | null;
  readonly installation: string;
  readonly #stores: Map<string, RegisteredStore>;

  private constructor(file: string | null, { installation, stores }: RegistryContent) {
    this.#file = file;
    this.installation = installation;
    this.#stores = new Map(stores.map((store) => [store.path, store]));
  }

  /** Opens the registry `file`, which is created when the first store is added. */
  static open(file: string): StoreRegistry {
    let content: RegistryContent | null = null;
    try {
      content = parse(fs.readFileSync(file, 'utf8'));
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error;
    }
    return new StoreRegistry(file, content ?? { installation: newKeptId(), stores: [] });
  }

  /** Returns a registry of the store of another installation in the folder `path`, which is not stored. */
  static forInstallation(installation: string, path: string): StoreRegistry {
    return new StoreRegistry(null, { installation, stores: [{ path, inode: '', checked: '' }] });
  }

  get stores(): readonly RegisteredStore[] {
    return [...this.#stores.values()];
  }

  find(path: string): RegisteredStore | undefined {
    return this.#stores.get(path);
  }

  /** Adds or changes a store, and writes the file if that changes anything. */
  set(store: RegisteredStore): void {
    const before = this.#stores.get(store.path);
    if (before?.inode === store.inode && before.checked === store.checked) return;
    this.#stores.set(store.path, store);
    this.#write();
  }

  /** Forgets a store. */
  remove(path: string): void {
    if (this.#stores.delete(path)) this.#write();
  }

  #write(): void {
    if (this.#file === null) return;
    const text = JSON.stringify({ installation: this.installation, stores: this.stores }, null, 2);
    const fresh = `${this.#file}.new`;
    // A crash must leave the old file or the new one.
    fs.writeFileSync(fresh, `${text}\n`, { mode: 0o600, flush: true });
    fs.renameSync(fresh, this.#file);
  }
}
