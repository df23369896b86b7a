import {
  nameOf,
  parentOf,
  segmentsOf,
  type VirtualPath,
  virtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { openStorage } from '../core/open-storage.ts';
import type { CoreEntry, StorageBackend, StorageCore } from '../core/storage-core.ts';
import type { DiskUsage, Entry, OpenFile, Storage } from '../storage.ts';

/** A file. Its bytes are replaced, never changed, so that open files and copies can share them. */
interface MemoryFile {
  readonly kind: 'file';
  bytes: Uint8Array;
  mode: number;
  modifiedNs: bigint;
}

interface MemoryFolder {
  readonly kind: 'folder';
  readonly children: Map<string, MemoryNode>;
  mode: number;
  modifiedNs: bigint;
}

type MemoryNode = MemoryFile | MemoryFolder;

/** The total size that a memory storage reports (bytes). Nothing enforces it. */
const totalBytes = 1024 ** 3;
const fileType = 0o100_000;
const folderType = 0o040_000;
const permissionBits = 0o7777;

const now = (): bigint => BigInt(Date.now()) * 1_000_000n;
const newFile = (bytes: Uint8Array): MemoryFile => ({
  kind: 'file',
  bytes,
  mode: fileType | 0o644,
  modifiedNs: now(),
});
const newFolder = (): MemoryFolder => ({
  kind: 'folder',
  children: new Map(),
  mode: folderType | 0o755,
  modifiedNs: now(),
});
const sizeOf = (node: MemoryNode): number => (node.kind === 'file' ? node.bytes.byteLength : 0);
const entryOf = (name: string, node: MemoryNode): CoreEntry => ({
  name,
  kind: node.kind,
  size: sizeOf(node),
  modifiedNs: node.modifiedNs,
  mode: node.mode,
  isSymlink: false,
});
const usedBy = (node: MemoryNode): number =>
  node.kind === 'file'
    ? sizeOf(node)
    : [...node.children.values()].reduce((total, child) => total + usedBy(child), 0);

/** A number for each content, so that two states of a file differ even when they have the same time. */
const versions = new WeakMap<Uint8Array, number>();
let lastVersion = 0;

function versionOf(bytes: Uint8Array): number {
  const version = versions.get(bytes) ?? ++lastVersion;
  versions.set(bytes, version);
  return version;
}

/** A tree of files in memory. */
class MemoryCore implements StorageCore {
  protected readonly root = newFolder();
  protected readonly listeners = new Set<(path: VirtualPath) => void>();

  async stat(path: VirtualPath): Promise<CoreEntry | null> {
    const node = this.find(path);
    return node && entryOf(nameOf(path), node);
  }

  async list(path: VirtualPath): Promise<CoreEntry[]> {
    return [...this.#folder(path).children].map(([name, node]) => entryOf(name, node));
  }

  async openFile(path: VirtualPath): Promise<OpenFile> {
    const node = this.existing(path);
    if (node.kind === 'folder') throw new AppError('is_folder');
    const { bytes } = node;
    return {
      entry: entryOf(nameOf(path), node),
      fingerprint: `${versionOf(bytes)}-${node.modifiedNs.toString(36)}`,
      descriptor: null,
      async read(buffer, position) {
        const piece = bytes.subarray(position, position + buffer.byteLength);
        buffer.set(piece);
        return piece.byteLength;
      },
      close: async () => undefined,
    };
  }

  async write(path: VirtualPath, source: AsyncIterable<Uint8Array>, from: number): Promise<void> {
    const parent = this.#folder(parentOf(path));
    const node = parent.children.get(nameOf(path)) ?? newFile(new Uint8Array());
    if (node.kind === 'folder') throw new AppError('is_folder');
    if (sizeOf(node) < from) throw new AppError('not_found');
    this.put(path, node);
    const chunks = [node.bytes.slice(0, from)];
    try {
      for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
    } finally {
      node.bytes = new Uint8Array(Buffer.concat(chunks));
      node.modifiedNs = now();
      this.#report(path);
    }
  }

  async setMetadata(
    path: VirtualPath,
    { mode, modifiedNs }: Partial<Pick<Entry, 'mode' | 'modifiedNs'>>,
  ): Promise<void> {
    const node = this.existing(path);
    if (mode !== undefined) node.mode = (node.mode & ~permissionBits) | (mode & permissionBits);
    if (modifiedNs !== undefined) node.modifiedNs = modifiedNs;
    this.#report(path);
  }

  async createFolder(path: VirtualPath): Promise<void> {
    if (this.#folder(parentOf(path)).children.has(nameOf(path))) throw new AppError('already_exists');
    this.put(path, newFolder());
  }

  async remove(path: VirtualPath): Promise<void> {
    const node = this.existing(path);
    if (node.kind === 'folder' && node.children.size > 0) throw new AppError('folder_not_empty');
    this.detach(path);
  }

  async renameFile(from: VirtualPath, to: VirtualPath, { replace }: { replace: boolean }): Promise<void> {
    const source = this.existing(from);
    if (source.kind === 'folder') throw new AppError('is_folder');
    const target = this.#folder(parentOf(to)).children.get(nameOf(to));
    if (target !== undefined && (!replace || target.kind === 'folder')) throw new AppError('already_exists');
    this.detach(from);
    this.put(to, source);
  }

  /** Adds a file, or a folder when `path` ends with a slash, and the missing folders above. */
  add(text: string, content: string | Uint8Array): void {
    const path = virtualPath(text);
    let folder = '';
    for (const name of segmentsOf(parentOf(path))) {
      folder += `/${name}`;
      if (this.find(folder as VirtualPath) === null) this.put(folder as VirtualPath, newFolder());
    }
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.put(path, text.endsWith('/') ? newFolder() : newFile(bytes));
  }

  protected find(path: VirtualPath): MemoryNode | null {
    let node: MemoryNode | undefined = this.root;
    for (const name of segmentsOf(path)) node = node?.kind === 'folder' ? node.children.get(name) : undefined;
    return node ?? null;
  }

  protected existing(path: VirtualPath): MemoryNode {
    const node = this.find(path);
    if (node === null) throw new AppError('not_found');
    return node;
  }

  protected put(path: VirtualPath, node: MemoryNode): void {
    const parent = this.#folder(parentOf(path));
    parent.children.set(nameOf(path), node);
    parent.modifiedNs = now();
    this.#report(path);
  }

  protected detach(path: VirtualPath): void {
    const parent = this.#folder(parentOf(path));
    parent.children.delete(nameOf(path));
    parent.modifiedNs = now();
    this.#report(path);
  }

  #report(path: VirtualPath): void {
    for (const listener of this.listeners) listener(path);
  }

  #folder(path: VirtualPath): MemoryFolder {
    const node = this.existing(path);
    if (node.kind === 'file') throw new AppError('not_a_folder');
    return node;
  }
}

/** The tree with optional abilities: it copies without reading, and moves and removes folders in one step. */
class MemoryBackend extends MemoryCore implements StorageBackend {
  async copyFile(from: VirtualPath, to: VirtualPath): Promise<void> {
    const source = this.existing(from);
    if (source.kind === 'folder') throw new AppError('is_folder');
    this.put(to, { ...source });
  }

  async moveFolder(from: VirtualPath, to: VirtualPath): Promise<void> {
    const source = this.existing(from);
    if (this.find(to) !== null) throw new AppError('already_exists');
    this.detach(from);
    this.put(to, source);
  }

  async removeFolder(path: VirtualPath): Promise<void> {
    this.existing(path);
    this.detach(path);
  }

  onChange(listener: (path: VirtualPath) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async usage(): Promise<DiskUsage> {
    return { total: totalBytes, used: usedBy(this.root), fileSystem: 'memory' };
  }
}

/** Files by their paths; a path that ends with a slash is an empty folder. */
type Files = Readonly<Record<string, string | Uint8Array>>;

function withFiles<T extends MemoryCore>(backend: T, files: Files): T {
  for (const [path, content] of Object.entries(files)) backend.add(path, content);
  return backend;
}

/** A backend in memory that has only the verbs of the core. */
export const openMinimalBackend = (files: Files = {}, clock?: Clock): StorageBackend =>
  Object.assign(withFiles(new MemoryCore(), files), clock === undefined ? {} : { clock });

/** A storage in memory, without links, for tests of everything above the storage. */
export const openMemoryStorage = async (files: Files = {}): Promise<Storage> =>
  openStorage(withFiles(new MemoryBackend(), files));
