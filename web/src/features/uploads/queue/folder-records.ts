import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createYielder } from '../../../api/yield-to-event-loop.ts';
import type { PlannedUpload } from '../collecting/plan-batch.ts';
import { topNameOf } from '../collecting/upload-item.ts';
import type { FolderRecord, QueuedJob } from './upload-job.ts';
import type { UploadTransport } from './upload-transport.ts';

/** A folder with fewer files is not recorded on the server, because uploading it again costs little. */
const minRecordedFiles = 2;

/** The folder uploads of this page: the records on the server with which they can be completed later. */
export class FolderRecords {
  readonly #transport: Pick<UploadTransport, 'announceFolder' | 'forgetFolder'>;
  readonly #records = new Map<string, FolderRecord>();

  constructor(transport: Pick<UploadTransport, 'announceFolder' | 'forgetFolder'>) {
    this.#transport = transport;
  }

  /** Returns the ids of the folder uploads that have not ended. */
  ids(): string[] {
    return [...this.#records.keys()];
  }

  /** Records the folders among planned uploads on the server. Returns the records by the names of the folders. */
  async announce(
    uploads: readonly PlannedUpload[],
    handles: ReadonlyMap<string, FileSystemDirectoryHandle> | undefined,
  ): Promise<ReadonlyMap<string, FolderRecord>> {
    const folders = new Map<string, { path: VirtualPath; files: number; bytes: number }>();
    const yieldWhenDue = createYielder();
    for (const { item, path } of uploads) {
      await yieldWhenDue();
      const top = topNameOf(item.relativePath);
      if (item.kind === 'folder' && top === item.relativePath) {
        if (path !== null) folders.set(top, { path, files: 0, bytes: 0 });
        continue;
      }
      const folder = item.kind === 'file' && path !== null ? folders.get(top) : undefined;
      if (folder === undefined || item.kind !== 'file') continue;
      folder.files += 1;
      folder.bytes += item.file.size;
    }
    const records = new Map<string, FolderRecord>();
    await Promise.all(
      [...folders].map(async ([name, folder]) => {
        if (folder.files < minRecordedFiles) return;
        const handle = handles?.get(name) ?? null;
        const id = await this.#transport.announceFolder({ ...folder, name, handle });
        if (id !== null) records.set(name, { id, files: folder.files });
      }),
    );
    return records;
  }

  /** Adds records, so that {@link end} ends them. */
  add(records: Iterable<FolderRecord>): void {
    for (const record of records) this.#records.set(record.id, record);
  }

  /** Ends the records of folders that have no more files to send. Folders with failed files can be completed later. */
  end(jobs: Iterable<QueuedJob>): void {
    const failed = new Set<string>();
    const arrived = new Map<string, number>();
    for (const { folder, state } of jobs) {
      if (folder === null) continue;
      const { id } = folder.upload;
      if (state === 'failed') failed.add(id);
      if (state === 'done') arrived.set(id, (arrived.get(id) ?? 0) + 1);
    }
    for (const [id, { files }] of this.#records) {
      if (failed.has(id)) continue;
      this.#records.delete(id);
      // The server has ended the record with its last file.
      if (arrived.get(id) !== files) void this.#transport.forgetFolder(id);
    }
  }

  /** Removes all records from this page; those on the server stay. */
  clear(): void {
    this.#records.clear();
  }
}
