import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import { isTemporaryName } from '../disk/paths/temporary-names.ts';
import {
  entryOfNode,
  findNode,
  type MemoryFolder,
  type MemoryNode,
  newFile,
  putNode,
} from './memory-tree.ts';
import type { PartialFile, PartialOptions, WriteOptions } from '../storage.ts';
import { untilAborted } from '../until-aborted.ts';

/** The unfinished files of folders. */
const partials = new WeakMap<MemoryFolder, Map<string, Uint8Array>>();

function partialsOf(folder: MemoryFolder): Map<string, Uint8Array> {
  const known = partials.get(folder) ?? new Map<string, Uint8Array>();
  partials.set(folder, known);
  return known;
}

/** How a memory storage finds the folder of a path. */
interface Parents {
  parent(createParents: boolean | undefined): MemoryFolder;
  /** Makes nothing; null when the folder is still to be made. */
  mayParent(createParents: boolean | undefined): MemoryFolder | null;
}

/** The unfinished file of a memory storage. */
export function openMemoryPartial(
  root: MemoryFolder,
  path: VirtualPath,
  { name, mode }: PartialOptions,
  parentsOf: (path: VirtualPath) => Parents,
): PartialFile {
  const { parent, mayParent } = parentsOf(path);
  if (!isTemporaryName(name)) throw new AppError('forbidden');
  const check = (folder: MemoryFolder | null, confirm: WriteOptions['confirm']): MemoryNode | undefined => {
    const current = path === rootPath ? root : folder?.children.get(nameOf(path));
    if (current !== undefined && mode === 'create') throw new AppError('already_exists');
    if (current?.kind === 'folder') throw new AppError('is_folder');
    confirm?.(current === undefined ? null : entryOfNode(nameOf(path), current));
    return current;
  };
  const held = (): { folder: MemoryFolder; bytes: Uint8Array } => {
    const folder = parent(false);
    const bytes = partialsOf(folder).get(name);
    if (bytes === undefined) throw new AppError('not_found');
    return { folder, bytes };
  };
  return {
    async create({ createParents, confirm }) {
      check(mayParent(createParents), confirm);
      partialsOf(parent(createParents)).set(name, new Uint8Array());
    },
    async size() {
      try {
        return held().bytes.byteLength;
      } catch (error) {
        if (isAppError(error, 'not_found', 'not_a_folder')) return null;
        throw error;
      }
    },
    async append(source, { from, signal, onStored }) {
      const { folder, bytes } = held();
      if (bytes.byteLength < from) throw new AppError('not_found');
      let all = bytes.slice(0, from);
      partialsOf(folder).set(name, all);
      for await (const chunk of untilAborted(source, signal)) {
        all = new Uint8Array(Buffer.concat([all, chunk]));
        partialsOf(folder).set(name, all);
        onStored?.(all.byteLength);
      }
    },
    async publish(size, { confirm, beforeChange, beforePublish }) {
      check(held().folder, confirm);
      await beforeChange?.();
      await beforePublish?.();
      const { folder, bytes } = held();
      if (bytes.byteLength < size) throw new AppError('not_found');
      const current = check(folder, confirm);
      const file = newFile(bytes.slice(0, size), current?.kind === 'file' ? current.mode : undefined);
      putNode(folder, nameOf(path), file);
      partialsOf(folder).delete(name);
      return entryOfNode(nameOf(path), file);
    },
    async moveTo(target) {
      const { folder, bytes } = held();
      const other = openMemoryPartial(root, target, { name, mode }, parentsOf);
      await other.create({ createParents: true });
      await other.append(
        (async function* () {
          yield bytes;
        })(),
        { from: 0 },
      );
      partialsOf(folder).delete(name);
    },
    async discard() {
      const folder = findNode(root, parentOf(path));
      if (folder?.kind === 'folder') partialsOf(folder).delete(name);
    },
  };
}
