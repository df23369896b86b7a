import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { openStorage } from '../../storage/core/open-storage.ts';
import type { CoreEntry, StorageBackend } from '../../storage/core/storage-core.ts';
import type { Entry, OpenFile, Storage } from '../../storage/storage.ts';
import { readOnly } from '../../storage/views/read-only.ts';
import { findEntry, type IndexedEntry } from './archive-index.ts';
import type { OpenArchive } from './open-archive.ts';
import { SequentialReader } from './sequential-reader.ts';

const folderMode = 0o040555;
const fileMode = 0o100444;

/** Presents an entry of an archive. Without its own time it has that of the archive. */
function presentEntry({ path, member, children }: IndexedEntry, archive: Entry): CoreEntry {
  const { modifiedMs = null } = member ?? {};
  return {
    name: nameOf(path),
    kind: children === null ? 'file' : 'folder',
    size: children === null ? (member?.size ?? 0) : 0,
    modifiedNs: modifiedMs === null ? archive.modifiedNs : BigInt(Math.trunc(modifiedMs)) * 1_000_000n,
    mode: children === null ? fileMode : folderMode,
    isSymlink: false,
  };
}

const refuse = async (): Promise<never> => {
  throw new AppError('forbidden');
};

/**
 * The content of an archive as a storage that can only be read. Closing it closes `file`, once the files that were opened in
 * the archive are closed too: previews read them after the request has ended.
 */
export function archiveStorage(archive: OpenArchive, file: OpenFile): Storage {
  const { index } = archive;
  let users = 1;
  const release = async (): Promise<void> => {
    users -= 1;
    if (users === 0) await file.close();
  };
  const backend: StorageBackend = {
    async stat(path) {
      try {
        return presentEntry(findEntry(index, path), file.entry);
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },
    async list(path) {
      const { children } = findEntry(index, path);
      if (children === null) throw new AppError('not_a_folder');
      return [...children.values()].map((child) => presentEntry(child, file.entry));
    },
    async openFile(path) {
      const found = findEntry(index, path);
      const { member, children } = found;
      if (children !== null || member === null) throw new AppError('is_folder');
      if (member.refusal !== undefined) throw new AppError(member.refusal);
      const reader = new SequentialReader(() => archive.content(member));
      users += 1;
      return {
        entry: presentEntry(found, file.entry),
        fingerprint: fingerprintOf(file, path),
        descriptor: null,
        read: (buffer, position) => reader.read(buffer, position),
        async close() {
          await reader.close();
          await release();
        },
      };
    },
    close: release,
    usage: async () => ({ total: index.bytes, used: index.bytes, fileSystem: 'archive' }),
    write: refuse,
    setMetadata: refuse,
    createFolder: refuse,
    remove: refuse,
    renameFile: refuse,
  };
  return readOnly(openStorage(backend));
}

const fingerprintOf = (file: OpenFile, path: VirtualPath): string => `${file.fingerprint} ${path}`;
