import { bytesOfName } from '@filestead/contract/paths/raw-names';
import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import type { Entry } from '../storage.ts';

/** A file of a memory storage. Its bytes are replaced, never changed. */
export interface MemoryFile {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly modifiedNs: bigint;
}

export interface MemoryFolder {
  readonly kind: 'folder';
  readonly children: Map<string, MemoryNode>;
  modifiedNs: bigint;
}

export type MemoryNode = MemoryFile | MemoryFolder;

const now = (): bigint => BigInt(Date.now()) * 1_000_000n;

export const newFolder = (): MemoryFolder => ({ kind: 'folder', children: new Map(), modifiedNs: now() });

export const newFile = (bytes: Uint8Array, mode = 0o100_644): MemoryFile => ({
  kind: 'file',
  bytes,
  mode,
  modifiedNs: now(),
});

export const entryOfNode = (name: string, node: MemoryNode): Entry => ({
  name,
  kind: node.kind,
  size: node.kind === 'file' ? node.bytes.byteLength : 0,
  modifiedNs: node.modifiedNs,
  mode: node.kind === 'file' ? node.mode : 0o040_755,
  isSymlink: false,
});

/** What lies at `path` below `root`; null when nothing does. */
export function findNode(root: MemoryFolder, path: VirtualPath): MemoryNode | null {
  let node: MemoryNode = root;
  for (const name of segmentsOf(path)) {
    const next: MemoryNode | undefined = node.kind === 'folder' ? node.children.get(name) : undefined;
    if (next === undefined) return null;
    node = next;
  }
  return node;
}

/**
 * The folder that holds the last name of `path`. Throws `not_found` when a folder on the way is missing and `onMissing`
 * does not make it, `not_a_folder` when one is a file.
 */
export function parentFolder(
  root: MemoryFolder,
  path: VirtualPath,
  onMissing?: (names: readonly string[]) => void,
): MemoryFolder {
  let folder = root;
  const names = segmentsOf(path).slice(0, -1);
  for (const [depth, name] of names.entries()) {
    let next = folder.children.get(name);
    if (next === undefined) {
      if (onMissing === undefined) throw new AppError('not_found');
      onMissing(names.slice(0, depth + 1));
      next = newFolder();
      putNode(folder, name, next);
    }
    if (next.kind !== 'folder') throw new AppError('not_a_folder');
    folder = next;
  }
  return folder;
}

export function putNode(folder: MemoryFolder, name: string, node: MemoryNode): void {
  folder.children.set(name, node);
  folder.modifiedNs = now();
}

export function dropNode(folder: MemoryFolder, name: string): void {
  folder.children.delete(name);
  folder.modifiedNs = now();
}

/** A copy of `node`. File contents are shared: they never change. */
export function cloneNode(node: MemoryNode): MemoryNode {
  if (node.kind === 'file') return { ...node };
  const children = new Map([...node.children].map(([name, child]) => [name, cloneNode(child)] as const));
  return { kind: 'folder', children, modifiedNs: node.modifiedNs };
}

/** Orders names as a disk does. */
export const byBytes = (a: string, b: string): number => Buffer.compare(bytesOfName(a), bytesOfName(b));

/** The nodes below `folder`, parents first, by their names; each folder in the order that is given, if any. */
export function* descendants(
  folder: MemoryFolder,
  accept: (names: readonly string[]) => boolean = () => true,
  order?: (a: string, b: string) => number,
  above: readonly string[] = [],
): Generator<{ names: readonly string[]; node: MemoryNode }> {
  const children = [...folder.children];
  if (order !== undefined) children.sort(([a], [b]) => order(a, b));
  for (const [name, node] of children) {
    const names = [...above, name];
    if (isReservedName(name) || !accept(names)) continue;
    yield { names, node };
    if (node.kind === 'folder') yield* descendants(node, accept, order, names);
  }
}

/** Throws `already_exists` when merging would put a file over a folder or a folder over a file. */
export function assertMergeableNodes(from: MemoryFolder, to: MemoryFolder): void {
  for (const [name, node] of from.children) {
    const there = to.children.get(name);
    if (there === undefined) continue;
    if (there.kind !== node.kind) throw new AppError('already_exists');
    if (node.kind === 'folder' && there.kind === 'folder') assertMergeableNodes(node, there);
  }
}

/** Puts everything of `from` into `to`: folders are merged, files replace files. */
export function mergeNodes(from: MemoryFolder, to: MemoryFolder): void {
  for (const [name, node] of from.children) {
    const there = to.children.get(name);
    if (node.kind === 'folder' && there?.kind === 'folder') mergeNodes(node, there);
    else putNode(to, name, node);
  }
}
