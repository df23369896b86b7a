import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeepOptions, MergedEntry } from '../kept/kept-entries.ts';
import type { OpenFile, TransferOptions } from '../storage.ts';
import { untilAborted } from '../until-aborted.ts';
import { type CheckedTree, childPath, type Displace } from './checked-tree.ts';
import { withStaged } from './core-writes.ts';
import type { CoreEntry } from './storage-core.ts';

/** Files are read in chunks of this size (bytes). */
const chunkBytes = 256 * 1024;

/** The bytes of an open file. A chunk is valid until the next one is requested. */
export async function* contentOf(file: OpenFile): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes);
  let position = 0;
  for (let read = await file.read(buffer, 0); read > 0; read = await file.read(buffer, position)) {
    position += read;
    yield buffer.subarray(0, read);
  }
}

/** Options of {@link TreeChange}. */
interface TreeChangeOptions extends Pick<TransferOptions, 'beforePublish' | 'onProgress'> {
  readonly overwrite?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with an existing file before it is replaced. */
  readonly displace?: Displace | undefined;
  /** See `KeepOptions.onMerged`. */
  readonly onMerged?: KeepOptions['onMerged'];
}

/** Changes whole trees entry by entry, counts the entries, and ends before the next one when it is cancelled. */
export class TreeChange {
  readonly #tree: CheckedTree;
  readonly #options: TreeChangeOptions;
  readonly #done = { entries: 0, bytes: 0 };

  constructor(tree: CheckedTree, options: TreeChangeOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  /** Moves the entry `source` at `from`. Without `overwrite`, throws when there is one at `to`; otherwise merges folders. */
  async move(from: VirtualPath, to: VirtualPath, source: CoreEntry): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const { backend } = this.#tree;
    const [absoluteFrom, absoluteTo] = [this.#tree.absolute(from), this.#tree.absolute(to)];
    const replace = this.#options.overwrite === true;
    if (source.kind === 'file') {
      await this.#tree.locked(to, async () => {
        if (replace) await this.#displace(to);
        await backend.renameFile(absoluteFrom, absoluteTo, { replace });
      });
    } else if (backend.moveFolder !== undefined && (await backend.stat(absoluteTo)) === null) {
      await backend.moveFolder(absoluteFrom, absoluteTo);
    } else await this.#moveOneByOne(from, to);
    this.#count(0);
  }

  /** Moves the entries of the folder at `from`, then removes the folder. */
  async #moveOneByOne(from: VirtualPath, to: VirtualPath): Promise<void> {
    const top = this.#tree.absolute(from);
    const isNew = await this.#openTarget(to);
    if (!isNew) this.#report('merged', to, null);
    // Reserved names move along: the source must be empty in the end.
    for (const entry of await this.#tree.allChildren(top)) {
      const [source, target] = [childPath(from, entry.name), childPath(to, entry.name)];
      const isMerge = !isNew && (await this.#isMerge(target, entry));
      await this.move(source, target, entry);
      if (!isNew && !isMerge) this.#report('moved', target, source);
    }
    await this.#tree.backend.remove(top);
    if (!isNew) this.#report('removed', from, null);
  }

  /** Whether a folder is merged into an existing one, whose entries are reported one by one. */
  async #isMerge(to: VirtualPath, { kind }: CoreEntry): Promise<boolean> {
    return kind === 'folder' && (await this.#tree.backend.stat(this.#tree.absolute(to))) !== null;
  }

  #report(act: MergedEntry['act'], path: VirtualPath, from: VirtualPath | null): void {
    const absolute = (inner: VirtualPath): VirtualPath => this.#tree.absolute(inner);
    this.#options.onMerged?.({ act, path: absolute(path), from: from && absolute(from) });
  }

  /** Copies the entry `source` at `from`, under the conditions of {@link move}. */
  async copy(from: VirtualPath, to: VirtualPath, source: CoreEntry): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (source.kind === 'file') {
      await this.#copyFile(from, to, source);
      this.#count(source.size);
      return;
    }
    const isNew = await this.#openTarget(to);
    if (!isNew) this.#report('merged', to, null);
    for (const entry of await this.#tree.children(from)) {
      const target = childPath(to, entry.name);
      const isMerge = !isNew && (await this.#isMerge(target, entry));
      await this.copy(childPath(from, entry.name), target, entry);
      if (!isNew && !isMerge) this.#report('created', target, null);
    }
    if (isNew) await this.#tree.backend.setMetadata(this.#tree.absolute(to), source);
    this.#count(0);
  }

  /** Removes the entry at the backend's path `path`, including reserved names below it. */
  async remove(path: VirtualPath, { kind }: CoreEntry): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const { backend } = this.#tree;
    if (kind === 'folder' && backend.removeFolder !== undefined) await backend.removeFolder(path);
    else {
      if (kind === 'folder')
        for (const entry of await this.#tree.allChildren(path))
          await this.remove(childPath(path, entry.name), entry);
      await backend.remove(path);
    }
    this.#count(0);
  }

  /** Creates the folder `path`, and returns whether it is new. Without `overwrite`, throws when it exists. */
  async #openTarget(path: VirtualPath): Promise<boolean> {
    if (this.#options.overwrite !== true) {
      await this.#tree.backend.createFolder(this.#tree.absolute(path));
      return true;
    }
    return this.#tree.createFolder(path);
  }

  async #copyFile(from: VirtualPath, to: VirtualPath, source: CoreEntry): Promise<void> {
    const { backend } = this.#tree;
    await withStaged(this.#tree, to, async (staged) => {
      if (backend.copyFile === undefined) await this.#copyBytes(from, staged);
      else await backend.copyFile(this.#tree.absolute(from), staged);
      await backend.setMetadata(staged, source);
      await this.#options.beforePublish?.();
      const mode = this.#options.overwrite === true ? 'either' : 'create';
      await this.#tree.publish(staged, to, { mode, displace: this.#options.displace });
    });
  }

  /** Keeps the file at `to`, if there is one. */
  async #displace(to: VirtualPath): Promise<void> {
    const { displace } = this.#options;
    if (displace === undefined) return;
    const current = await this.#tree.backend.stat(this.#tree.absolute(to));
    if (current?.kind === 'file') await displace(to, current);
  }

  async #copyBytes(from: VirtualPath, staged: VirtualPath): Promise<void> {
    const { backend } = this.#tree;
    const file = await backend.openFile(this.#tree.absolute(from));
    try {
      await backend.write(staged, untilAborted(contentOf(file), this.#options.signal), 0);
    } finally {
      await file.close();
    }
  }

  #count(bytes: number): void {
    this.#done.entries += 1;
    this.#done.bytes += bytes;
    this.#options.onProgress?.({ ...this.#done });
  }
}
