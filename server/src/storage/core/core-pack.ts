import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import type { Container } from '../pack/container.ts';
import { freeMemberName } from '../pack/member-names.ts';
import { FileChangedError } from '../pack/packer.ts';
import { TarContainer } from '../pack/tar-container.ts';
import { ZipContainer } from '../pack/zip-container.ts';
import type { Entry, OpenFile, PackedMember, PackOptions } from '../storage.ts';
import { readFully } from '../read-fully.ts';
import { type CheckedTree, childPath } from './checked-tree.ts';
import { contentOf } from './tree-change.ts';
import type { CoreEntry } from './storage-core.ts';

/** Files up to this size (bytes) are read before their header is written, which then contains their checksum. */
const smallBytes = 256 * 1024;

const metadataOf = ({
  size,
  modifiedNs,
  mode,
}: Entry): { size: number; modifiedMs: number; mode: number } => ({
  size,
  modifiedMs: Number(modifiedNs / 1_000_000n),
  mode,
});

/** Whether an entry has vanished or cannot be read. Such entries below a member are skipped. */
const isUnavailable = (error: unknown): boolean =>
  isAppError(error, 'not_found', 'not_a_folder', 'forbidden');

/** The content of a file of `size` bytes. Throws {@link FileChangedError} when its size has changed. */
async function readWhole(file: OpenFile, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size + 1);
  if ((await readFully(file, bytes, 0)) !== size) throw new FileChangedError(false);
  return bytes.subarray(0, size);
}

/** Packs members of a backend in this thread. */
class CorePacking {
  readonly #tree: CheckedTree;
  readonly #container: Container;
  readonly #options: PackOptions;

  constructor(tree: CheckedTree, options: PackOptions) {
    this.#tree = tree;
    this.#container = options.container === 'tar' ? new TarContainer() : new ZipContainer();
    this.#options = options;
  }

  async *run(members: readonly PackedMember[]): AsyncGenerator<Uint8Array> {
    for (const { path, name } of members) {
      const entry = await this.#tree.find(path);
      if (entry === null) throw new AppError('not_found');
      yield* entry.kind === 'folder' ? this.#folder(path, name, entry) : this.#file(path, name);
    }
    yield* this.#container.end();
  }

  async *#folder(path: VirtualPath, name: string, entry: CoreEntry): AsyncGenerator<Uint8Array> {
    this.#options.signal?.throwIfAborted();
    const children = await this.#tree.children(path);
    if (name !== '') yield this.#container.folder(name, metadataOf(entry));
    const names = new Set(children.map((child) => child.name));
    for (const child of children) {
      const inner = childPath(path, child.name);
      if (this.#options.accept?.(inner) === false || !this.#tree.isAllowed(inner)) continue;
      const packedName = freeMemberName(child.name, (candidate) => names.has(candidate));
      names.add(packedName);
      const memberName = name === '' ? packedName : `${name}/${packedName}`;
      let hasYielded = false;
      try {
        const bytes =
          child.kind === 'folder' ? this.#folder(inner, memberName, child) : this.#file(inner, memberName);
        for await (const piece of bytes) {
          hasYielded = true;
          yield piece;
        }
      } catch (error) {
        if (hasYielded || !isUnavailable(error)) throw error;
      }
    }
  }

  async *#file(path: VirtualPath, name: string): AsyncGenerator<Uint8Array> {
    this.#options.signal?.throwIfAborted();
    const file = await this.#tree.backend.openFile(this.#tree.absolute(path));
    try {
      yield* this.#content(file, name);
    } finally {
      await file.close();
    }
  }

  async *#content(file: OpenFile, name: string): AsyncGenerator<Uint8Array> {
    const { size } = file.entry;
    let left = size;
    if (size <= smallBytes) {
      const bytes = await readWhole(file, size);
      yield this.#container.smallFile(name, metadataOf(file.entry), bytes);
      yield bytes;
      yield this.#container.trailer();
      return;
    }
    yield this.#container.largeFile(name, metadataOf(file.entry));
    for await (const piece of contentOf(file)) {
      this.#options.signal?.throwIfAborted();
      left -= piece.byteLength;
      if (left < 0) break;
      this.#container.piece(piece);
      yield piece;
    }
    if (left !== 0) throw new FileChangedError(true);
    yield this.#container.trailer();
  }
}

/** `Storage.pack`. */
export const packMembers = (
  tree: CheckedTree,
  members: readonly PackedMember[],
  options: PackOptions,
): AsyncGenerator<Uint8Array> => new CorePacking(tree, options).run(members);
