import fs from 'node:fs';
import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import { hourOf } from '../../kept/kept-names.ts';
import {
  at,
  closeFolder,
  type Confinement,
  type Folder,
  identityOf,
  isSame,
  openFolder,
} from '../paths/folder.ts';
import { flushFolder, lstatOrNull } from '../paths/publish.ts';
import { ignoreErrno, isErrno, makeFolder, syscalls } from '../paths/syscalls.ts';
import { trashName } from '../paths/temporary-names.ts';
import { Ledger } from './ledger.ts';
import type { StoreRegistry } from './store-registry.ts';

/** The maximum number of entries in a folder; further entries of the same hour are put into another one. */
const maxEntriesPerFolder = 50_000;

const readme = `This folder contains files that were deleted or replaced in Filestead. They are removed when their time is over.

Each entry is in a folder "things/" below, sorted by the hour (UTC) of its deletion, and has its old name after a random one.
The files in "ledger/" say where each entry was, one line of JSON each.

To get an entry back, restore it in Filestead. Without Filestead, move it out of this folder:

    mv "things/2026-11-21T10/kX3… report.pdf" ../../report.pdf

Do not delete this folder or move entries into it.
`;

/** Error codes of a folder that does not exist, or was replaced by another entry. */
const missingFolder = ['ENOENT', 'ENOTDIR', 'ELOOP'] as const;

/** Creates a file of a store unless it exists. */
async function writeOnce(folder: Folder, name: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const flags = O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);
  const descriptor = await ignoreErrno(syscalls.open(at(folder, name), flags, 0o600), 'EEXIST');
  if (descriptor === undefined) return;
  try {
    await syscalls.write(descriptor, Buffer.from(text));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Opens a folder of a store and creates it if it is missing. A link is not followed. */
async function openOrCreate(
  confinement: Confinement,
  parent: Folder,
  name: string,
  create: boolean,
): Promise<{ readonly folder: Folder; readonly isNew: boolean }> {
  const path = at(parent, name);
  const isNew = create && (await makeFolder(path, 0o700).async());
  if (isNew) await flushFolder(parent);
  return { folder: await openFolder(confinement, path).async(), isNew };
}

/**
 * The number of entries in the folder that is being filled: folder `number` of `hour`. Shared by all {@link Store} objects of the
 * same store in this process.
 */
export interface HourCount {
  hour: string;
  number: number;
  count: number;
}

/** Options of {@link Store.open}. */
export interface OpenStoreOptions {
  readonly confinement: Confinement;
  readonly registry: StoreRegistry;
  /** The path of `base` in the outermost storage. */
  readonly path: string;
  readonly create: boolean;
  readonly hours: Map<string, HourCount>;
}

/** The store of one volume as this installation uses it: entries in `things/`, their records in `ledger/`. Open while it is used. */
export class Store {
  /** The path in the outermost storage of the folder that contains the store. */
  readonly path: string;
  readonly ledger: Ledger;
  /** The folders of the store that are open. */
  readonly top: Folder;
  readonly #base: Folder;
  readonly ledgerFolder: Folder;
  readonly things: Folder;
  readonly #options: OpenStoreOptions;
  readonly #folders = new Map<string, Promise<Folder>>();
  /** The time at which the store was last found at its name (`performance.now()`). */
  #seenAt = Number.NEGATIVE_INFINITY;

  private constructor(
    options: OpenStoreOptions,
    parts: { base: Folder; top: Folder; things: Folder; ledgerFolder: Folder; ledger: Ledger },
  ) {
    this.path = options.path;
    this.#options = options;
    this.#base = parts.base;
    this.top = parts.top;
    this.things = parts.things;
    this.ledgerFolder = parts.ledgerFolder;
    this.ledger = parts.ledger;
  }

  /**
   * Opens the store in the open folder `base`. Throws ENOENT when there is none and `create` is false, `cannot_keep` for a store
   * that another user has created, and errors of the operating system.
   */
  static async open(base: Folder, options: OpenStoreOptions): Promise<Store> {
    const { confinement, registry, create, path } = options;
    const opened: Folder[] = [];
    const open = async (parent: Folder, name: string): Promise<{ folder: Folder; isNew: boolean }> => {
      const result = await openOrCreate(confinement, parent, name, create);
      opened.push(result.folder);
      return result;
    };
    try {
      const ownBase = await openFolder(confinement, at(base, '.')).async();
      opened.push(ownBase);
      const top = await open(base, trashName);
      await assertOwn(top.folder, top.isNew, registry.find(path)?.inode);
      if (top.isNew) await writeOnce(top.folder, 'README.txt', readme);
      const own = await open(top.folder, registry.installation);
      if (own.isNew) {
        const about = { version: 1, installation: registry.installation };
        await writeOnce(own.folder, 'store.json', `${JSON.stringify(about)}\n`);
      }
      const things = await open(own.folder, 'things');
      const ledgerFolder = await open(own.folder, 'ledger');
      const ledger = await Ledger.open(ledgerFolder.folder);
      const checked = registry.find(path)?.checked ?? '';
      registry.set({ path, inode: String(top.folder.inode), checked });
      closeFolder(own.folder);
      return new Store(options, {
        base: ownBase,
        top: top.folder,
        things: things.folder,
        ledgerFolder: ledgerFolder.folder,
        ledger,
      });
    } catch (error) {
      for (const folder of opened) closeFolder(folder);
      throw error;
    }
  }

  /** The real path of {@link things}: names from the root of the outermost storage. */
  get thingsNames(): string[] {
    return [
      ...segmentsOf(this.path as VirtualPath),
      trashName,
      this.#options.registry.installation,
      'things',
    ];
  }

  /**
   * Whether the open store is still at its name: another program may have moved, replaced or removed it.
   * @param base the folder that is to contain it, if that is known
   * @param maxAgeMs the age up to which an earlier answer is good enough, in ms
   */
  async isInPlace(base: Folder = this.#base, maxAgeMs = 0): Promise<boolean> {
    if (!isSame(base, this.#base)) return false;
    const now = performance.now();
    if (now - this.#seenAt < maxAgeMs) return true;
    const stats = await lstatOrNull(this.#base, trashName);
    const isHere = stats !== null && isSame(identityOf(stats), this.top);
    if (isHere) this.#seenAt = now;
    return isHere;
  }

  /** Counts a new entry, and returns the name of the folder that is to contain it. */
  nextFolder(time: number): string {
    const hour = hourOf(time);
    const { hours } = this.#options;
    let state = hours.get(this.path);
    if (state?.hour !== hour) {
      state = { hour, number: 0, count: 0 };
      hours.set(this.path, state);
    }
    if (state.count >= maxEntriesPerFolder) {
      state.number += 1;
      state.count = 0;
    }
    state.count += 1;
    return state.number === 0 ? hour : `${hour}-${state.number}`;
  }

  /** The open folder `name` of kept entries. Stays open as long as the store. Throws ENOENT unless `create` is set. */
  folder(name: string, { create }: { readonly create: boolean }): Promise<Folder> {
    const open = this.#folders.get(name);
    if (open !== undefined) return open;
    const { confinement } = this.#options;
    const opening = openOrCreate(confinement, this.things, name, create).then(({ folder }) => folder);
    this.#folders.set(name, opening);
    opening.catch(() => this.#folders.delete(name));
    return opening;
  }

  /**
   * Opens the folder `name` of kept entries for one use; undefined if there is none. The caller closes it: in contrast to
   * {@link folder}, all folders can be read without keeping a descriptor of each.
   */
  openFolderOnce(name: string): Promise<Folder | undefined> {
    const opening = openFolder(this.#options.confinement, at(this.things, name)).async();
    return ignoreErrno(opening, ...missingFolder);
  }

  /** The open folder `name` of kept entries, as {@link folder} returns it; undefined if there is none. */
  findFolder(name: string): Promise<Folder | undefined> {
    return ignoreErrno(this.folder(name, { create: false }), ...missingFolder);
  }

  /** Removes the folder `name` of kept entries if it is empty. */
  async removeFolderIfEmpty(name: string): Promise<void> {
    await ignoreErrno(syscalls.rmdir(at(this.things, name)), 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY');
  }

  /** Removes the folders of this installation if they are empty. */
  async removeIfEmpty(): Promise<void> {
    const own = this.#options.registry.installation;
    const remove = (name: string): Promise<unknown> =>
      ignoreErrno(syscalls.rmdir(at(this.top, `${own}${name}`)), 'ENOENT', 'ENOTEMPTY', 'EEXIST');
    await remove('/things');
    await remove('/ledger');
    await ignoreErrno(syscalls.unlink(at(this.top, `${own}/store.json`)), 'ENOENT');
    await remove('');
  }

  /** Closes all folders once the ledger is written. */
  async close(): Promise<void> {
    await this.ledger.close();
    for (const opening of this.#folders.values()) closeFolder(await opening);
    this.#folders.clear();
    for (const folder of [this.ledgerFolder, this.things, this.top, this.#base]) closeFolder(folder);
  }
}

/**
 * Throws `cannot_keep` when the existing store folder `top` was created by another user of the system, who could read and remove
 * what is moved into it. Where a file system changes owners (network mounts), the inode is known from its creation.
 */
async function assertOwn(top: Folder, isNew: boolean, knownInode: string | undefined): Promise<void> {
  if (isNew || process.platform === 'win32' || knownInode === String(top.inode)) return;
  const { uid } = await syscalls.lstat(at(top, '.'));
  if (uid !== BigInt(process.geteuid?.() ?? 0))
    throw new AppError('cannot_keep', 'the trash folder of this disk belongs to another system user');
}

/** Whether `error` means that nothing can be created in a folder, so that a lower one has to be tried. */
export const isNotWritable = (error: unknown): boolean =>
  isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ELOOP', 'ENOTSUP', 'EOPNOTSUPP', 'ENAMETOOLONG') ||
  isAppError(error, 'cannot_keep');
