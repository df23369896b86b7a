import { naturalOrder } from '@filestead/contract/paths/natural-order';
import {
  isAtOrBelow,
  joinPaths,
  nameOf,
  rootPath,
  segmentsOf,
  type VirtualPath,
  virtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import { openMemoryPartial } from './memory-partial.ts';
import { createNameTest } from '../listings/name-pattern.ts';
import {
  byBytes,
  cloneNode,
  descendants,
  dropNode,
  entryOfNode,
  findNode,
  type MemoryFolder,
  type MemoryNode,
  mergeNodes,
  assertMergeableNodes,
  newFile,
  newFolder,
  parentFolder,
  putNode,
} from './memory-tree.ts';
import type { Container } from '../pack/container.ts';
import { memberName } from '../pack/member-names.ts';
import { TarContainer } from '../pack/tar-container.ts';
import { ZipContainer } from '../pack/zip-container.ts';
import {
  batchKinds,
  type Entry,
  type EntryBatch,
  type FindOptions,
  type FolderListing,
  type FoundEntry,
  type OpenFile,
  type PackedMember,
  type PackOptions,
  type PartialFile,
  type PartialOptions,
  type RemoveOptions,
  type Storage,
  type TransferOptions,
  type WalkOptions,
  type WriteOptions,
} from '../storage.ts';
import { untilAborted } from '../until-aborted.ts';

/** The total size that a memory storage says it has. Bytes; nothing enforces it. */
const totalBytes = 1024 ** 3;

const joined = (path: VirtualPath, names: readonly string[]): VirtualPath =>
  joinPaths(path, `/${names.join('/')}` as VirtualPath);

async function gather(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of untilAborted(source, signal)) chunks.push(Uint8Array.from(chunk));
  signal?.throwIfAborted();
  return new Uint8Array(Buffer.concat(chunks));
}

/** Bytes are replaced, never changed: a number for each array tells the states of files apart. */
const versions = new WeakMap<Uint8Array, number>();
let lastVersion = 0;

function versionOf(bytes: Uint8Array): number {
  const known = versions.get(bytes);
  if (known !== undefined) return known;
  lastVersion += 1;
  versions.set(bytes, lastVersion);
  return lastVersion;
}

/** A tree of files in memory, without links, for tests of everything above the storage. */
class MemoryStorage implements Storage {
  readonly #root: MemoryFolder;
  readonly #admit: (place: VirtualPath) => void;

  constructor(root: MemoryFolder, admit: (place: VirtualPath) => void) {
    this.#root = root;
    this.#admit = admit;
  }

  #find(path: VirtualPath): MemoryNode | null {
    this.#admit(path);
    return segmentsOf(path).some(isReservedName) ? null : findNode(this.#root, path);
  }

  ignoresCaseAt(): boolean {
    return false;
  }

  #folder(path: VirtualPath): MemoryFolder {
    const node = this.#find(path);
    if (node === null) throw new AppError('not_found');
    if (node.kind !== 'folder') throw new AppError('not_a_folder');
    return node;
  }

  /** Refuses what {@link #parent} would refuse, making nothing. Gives the folder when it exists. */
  #mayParent(path: VirtualPath, createParents: boolean | undefined): MemoryFolder | null {
    if (createParents !== true) return this.#parent(path, false);
    if (segmentsOf(path).some(isReservedName)) throw new AppError('forbidden');
    let folder: MemoryFolder | null = this.#root;
    const names = segmentsOf(path).slice(0, -1);
    for (const [depth, name] of names.entries()) {
      const next: MemoryNode | undefined = folder?.children.get(name);
      if (next === undefined) this.#admit(`/${names.slice(0, depth + 1).join('/')}` as VirtualPath);
      else if (next.kind !== 'folder') throw new AppError('not_a_folder');
      folder = next ?? null;
    }
    this.#admit(path);
    return folder;
  }

  /** The folder in which `path` is to be made or replaced. */
  #parent(path: VirtualPath, createParents: boolean | undefined): MemoryFolder {
    if (segmentsOf(path).some(isReservedName)) throw new AppError('forbidden');
    const onMissing = (names: readonly string[]): void => this.#admit(`/${names.join('/')}` as VirtualPath);
    const parent = parentFolder(this.#root, path, createParents === true ? onMissing : undefined);
    this.#admit(path);
    return parent;
  }

  async stat(path: VirtualPath): Promise<Entry | null> {
    const node = this.#find(path);
    return node && entryOfNode(nameOf(path), node);
  }

  async list(path: VirtualPath, options: { signal?: AbortSignal } = {}): Promise<FolderListing> {
    options.signal?.throwIfAborted();
    const folder = this.#folder(path);
    const inOrder = (kind: MemoryNode['kind']): [string, MemoryNode][] => {
      const entries = [...folder.children].filter(
        ([name, node]) => node.kind === kind && !isReservedName(name),
      );
      return [...naturalOrder(entries.map(([name]) => name))].flatMap((position) =>
        entries.slice(position, position + 1),
      );
    };
    const folders = inOrder('folder');
    const entries = [...folders, ...inOrder('file')];
    return {
      folder: entryOfNode(nameOf(path), folder),
      names: entries.map(([name]) => name),
      folderCount: folders.length,
      refused: new Set(),
      async *batches() {
        options.signal?.throwIfAborted();
        if (entries.length > 0) yield batchOf(entries);
      },
    };
  }

  async openFile(path: VirtualPath): Promise<OpenFile> {
    const node = this.#find(path);
    if (node === null) throw new AppError('not_found');
    if (node.kind === 'folder') throw new AppError('is_folder');
    return {
      entry: entryOfNode(nameOf(path), node),
      fingerprint: `${versionOf(node.bytes)}-${node.modifiedNs.toString(36)}`,
      descriptor: null,
      read: async (buffer, position) => {
        const piece = node.bytes.subarray(position, position + buffer.byteLength);
        buffer.set(piece);
        return piece.byteLength;
      },
      close: async () => undefined,
    };
  }

  async write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry> {
    options.signal?.throwIfAborted();
    const name = nameOf(path);
    const check = (folder: MemoryFolder | null): MemoryNode | undefined => {
      const current = path === rootPath ? this.#root : folder?.children.get(name);
      if (current === undefined && options.mode === 'replace') throw new AppError('not_found');
      if (current !== undefined && options.mode === 'create') throw new AppError('already_exists');
      if (current?.kind === 'folder') throw new AppError('is_folder');
      options.confirm?.(current === undefined ? null : entryOfNode(name, current));
      return current;
    };
    check(this.#mayParent(path, options.createParents));
    await options.beforeChange?.();
    const folder = this.#parent(path, options.createParents);
    const bytes = await gather(source, options.signal);
    await options.beforePublish?.();
    const current = check(folder);
    const file = newFile(bytes, current?.kind === 'file' ? current.mode : undefined);
    putNode(folder, name, file);
    return entryOfNode(name, file);
  }

  partial(path: VirtualPath, options: PartialOptions): PartialFile {
    return openMemoryPartial(this.#root, path, options, (target) => ({
      parent: (createParents) => this.#parent(target, createParents),
      mayParent: (createParents) => this.#mayParent(target, createParents),
    }));
  }

  async createFolder(path: VirtualPath): Promise<void> {
    if (this.#find(path)?.kind === 'folder') return;
    const folder = this.#parent(path, true);
    if (folder.children.has(nameOf(path))) throw new AppError('already_exists');
    putNode(folder, nameOf(path), newFolder());
  }

  async move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    this.#ends(from, to, options);
    await options.beforeChange?.();
    const { source, there } = this.#ends(from, to, options);
    const target = this.#parent(to, options.createParents);
    if (source.kind === 'folder' && there?.kind === 'folder') mergeNodes(source, there);
    dropNode(parentFolder(this.#root, from), nameOf(from));
    if (source.kind === 'file' || there === undefined) putNode(target, nameOf(to), source);
    options.onProgress?.({ entries: 1, bytes: 0 });
  }

  async copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void> {
    this.#ends(from, to, options);
    await options.beforeChange?.();
    await options.beforePublish?.();
    const { source, there } = this.#ends(from, to, options);
    const target = this.#parent(to, options.createParents);
    const copy = cloneNode(source);
    if (copy.kind === 'folder' && there?.kind === 'folder') mergeNodes(copy, there);
    else putNode(target, nameOf(to), copy);
    const bytes = source.kind === 'file' ? source.bytes.byteLength : 0;
    options.onProgress?.({ entries: 1, bytes });
  }

  #ends(
    from: VirtualPath,
    to: VirtualPath,
    options: TransferOptions,
  ): { source: MemoryNode; there: MemoryNode | undefined } {
    options.signal?.throwIfAborted();
    const source = this.#find(from);
    if (from === rootPath || to === rootPath) throw new AppError('root_is_protected');
    if (source === null) throw new AppError('not_found');
    if (from !== to && isAtOrBelow(to, from)) throw new AppError('moves_into_itself');
    const there = this.#mayParent(to, options.createParents)?.children.get(nameOf(to));
    if (there === source) throw new AppError(options.overwrite ? 'moves_into_itself' : 'already_exists');
    if (there !== undefined && (!options.overwrite || there.kind !== source.kind))
      throw new AppError('already_exists');
    if (source.kind === 'folder') {
      this.#survey(source, [from, to]);
      if (there?.kind === 'folder') assertMergeableNodes(source, there);
    }
    return { source, there };
  }

  /** Asks about everything in `folder`, as if it lay at each of `places`. */
  #survey(folder: MemoryFolder, places: readonly VirtualPath[]): void {
    for (const { names } of descendants(folder))
      for (const place of places) this.#admit(joined(place, names));
  }

  async remove(path: VirtualPath, options: RemoveOptions = {}): Promise<void> {
    options.signal?.throwIfAborted();
    const node = this.#find(path);
    if (path === rootPath) throw new AppError('root_is_protected');
    if (node === null) throw new AppError('not_found');
    if (node.kind === 'folder') this.#survey(node, [path]);
    await options.beforeChange?.();
    const entries = node.kind === 'folder' ? [...descendants(node)].length : 1;
    dropNode(parentFolder(this.#root, path), nameOf(path));
    options.onProgress?.({ entries, bytes: 0 });
  }

  async *walk(
    path: VirtualPath,
    options: WalkOptions = {},
  ): AsyncGenerator<{ path: VirtualPath; entry: Entry }> {
    const { accept } = options;
    const accepts = accept && ((names: readonly string[]): boolean => accept(joined(path, names)));
    for (const { names, node } of descendants(this.#folder(path), accepts)) {
      options.signal?.throwIfAborted();
      yield { path: joined(path, names), entry: entryOfNode(names.at(-1) ?? '', node) };
    }
  }

  async *pack(
    members: readonly PackedMember[],
    { container, signal, accept }: PackOptions,
  ): AsyncGenerator<Uint8Array> {
    const writer = container === 'tar' ? new TarContainer() : new ZipContainer();
    for (const { path, name } of members) {
      const node = this.#find(path);
      if (node === null) throw new AppError('not_found');
      if (node.kind === 'file') {
        yield* packNode(writer, name, node);
        continue;
      }
      if (name !== '') yield* packNode(writer, name, node);
      const accepts = (names: readonly string[]): boolean => accept?.(joined(path, names)) ?? true;
      for (const below of descendants(node, accepts)) {
        signal?.throwIfAborted();
        const inner = below.names.map(memberName).join('/');
        yield* packNode(writer, name === '' ? inner : `${name}/${inner}`, below.node);
      }
    }
    yield* writer.end();
  }

  async *find(path: VirtualPath, options: FindOptions): AsyncGenerator<readonly FoundEntry[]> {
    const { pattern, signal, accept } = options;
    const fits = createNameTest(pattern);
    const admits = (names: readonly string[]): boolean => {
      if (accept !== undefined && !accept(joined(path, names))) return false;
      try {
        this.#admit(joined(path, names));
        return true;
      } catch {
        return false;
      }
    };
    for (const { names, node } of descendants(this.#folder(path), admits, byBytes)) {
      signal?.throwIfAborted();
      if (!fits(names.at(-1) ?? '')) continue;
      yield [{ path: joined(path, names), isFolder: node.kind === 'folder' }];
    }
  }

  async usage(path: VirtualPath): Promise<{ total: number; used: number }> {
    if (this.#find(path) === null) throw new AppError('not_found');
    let used = 0;
    for (const { node } of descendants(this.#root)) if (node.kind === 'file') used += node.bytes.byteLength;
    return { total: totalBytes, used };
  }

  async within(path: VirtualPath): Promise<Storage> {
    const admit = this.#admit;
    return new MemoryStorage(this.#folder(path), (place) => admit(joinPaths(path, place)));
  }

  guarded(admit: (place: VirtualPath) => void): Storage {
    const before = this.#admit;
    return new MemoryStorage(this.#root, (place) => {
      before(place);
      admit(place);
    });
  }

  async close(): Promise<void> {
    // Nothing is held.
  }
}

function* packNode(writer: Container, name: string, node: MemoryNode): Generator<Uint8Array> {
  const { size, modifiedNs, mode } = entryOfNode('', node);
  const facts = { size, modifiedMs: Number(modifiedNs / 1_000_000n), mode };
  if (node.kind === 'folder') {
    yield writer.folder(name, facts);
    return;
  }
  yield writer.smallFile(name, facts, node.bytes);
  yield node.bytes;
  yield writer.trailer();
}

function batchOf(entries: readonly (readonly [string, MemoryNode])[]): EntryBatch {
  const facts = entries.map(([name, node]) => entryOfNode(name, node));
  return {
    first: 0,
    count: facts.length,
    sizes: Float64Array.from(facts, ({ size }) => size),
    modifiedMs: Float64Array.from(facts, ({ modifiedNs }) => Number(modifiedNs / 1_000_000n)),
    modes: Uint32Array.from(facts, ({ mode }) => mode),
    kinds: Uint8Array.from(facts, ({ kind }) => batchKinds.indexOf(kind)),
    links: new Uint8Array(facts.length),
  };
}

/** A storage in memory with `files` by their paths; a path that ends with a slash is an empty folder. */
export async function openMemoryStorage(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Storage> {
  const root = newFolder();
  for (const [text, content] of Object.entries(files)) {
    const path = virtualPath(text);
    const node = text.endsWith('/')
      ? newFolder()
      : newFile(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    putNode(
      parentFolder(root, path, () => undefined),
      nameOf(path),
      node,
    );
  }
  return new MemoryStorage(root, () => undefined);
}
