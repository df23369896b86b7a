import { maxNameBytes, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ConflictScope } from './conflict-queue.ts';
import type { PlannedUpload } from '../collecting/plan-batch.ts';
import { topNameOf } from '../collecting/upload-item.ts';
import type { FolderRecord, JobGroup, QueuedJob, UploadFailure } from './upload-job.ts';

/**
 * Creates the jobs of planned uploads, one after the other, each with the folder that must exist first. Ids are consecutive from `firstId`.
 * `records` are the folder uploads by the relative paths of their folders; an empty path is the folder of all items, which is
 * `destination`.
 */
export function* makeJobs(
  uploads: readonly PlannedUpload[],
  scope: ConflictScope,
  firstId: number,
  records: ReadonlyMap<string, FolderRecord> = new Map(),
  destination: VirtualPath | null = null,
): Generator<QueuedJob> {
  const folders = new Map<string, QueuedJob>();
  const groups = groupsOf(uploads, firstId, records.has('') ? destination : null);
  for (const [index, { item, path, override }] of uploads.entries()) {
    const slash = item.relativePath.lastIndexOf('/');
    const originalName = item.relativePath.slice(slash + 1);
    const top = records.has('') ? '' : topNameOf(item.relativePath);
    const record = item.kind === 'file' ? records.get(top) : undefined;
    const job: QueuedJob = {
      id: firstId + index,
      kind: item.kind,
      path,
      name: path ? nameOf(path) : originalName,
      originalName,
      size: item.kind === 'file' ? item.file.size : 0,
      mediaType: item.kind === 'file' ? item.file.type : '',
      bytesPerSecond: 0,
      state: path ? 'waiting' : 'failed',
      sentBytes: 0,
      failure: path ? null : nameFailure(item.relativePath),
      isInterrupted: false,
      file: item.kind === 'file' ? item.file : null,
      override,
      partial: { address: null, offset: 0 },
      folder: record
        ? { upload: record, file: top === '' ? item.relativePath : item.relativePath.slice(top.length + 1) }
        : null,
      handle: item.kind === 'file' ? (item.handle ?? null) : null,
      contents: null,
      group: groups.get(top) ?? null,
      parent: folders.get(item.relativePath.slice(0, Math.max(0, slash))) ?? null,
      scope,
      speed: null,
      abort: null,
      hasUnseenConflict: false,
    };
    if (item.kind === 'folder') folders.set(item.relativePath, job);
    yield job;
  }
}

/**
 * Returns the folders that are shown as one row, by their names: those with something in them.
 * @param completed the folder that all items complete; null if they are new
 */
function groupsOf(
  uploads: readonly PlannedUpload[],
  firstId: number,
  completed: VirtualPath | null,
): ReadonlyMap<string, JobGroup> {
  const groups = new Map<string, JobGroup>();
  if (completed !== null) return groups.set('', { id: firstId, name: nameOf(completed), path: completed });
  const tops = new Map<string, JobGroup>();
  for (const [index, { item, path }] of uploads.entries()) {
    const { kind, relativePath } = item;
    const top = topNameOf(relativePath);
    if (kind === 'folder' && relativePath === top)
      tops.set(top, { id: firstId + index, name: path ? nameOf(path) : top, path });
    const group = relativePath === top ? undefined : tops.get(top);
    if (group !== undefined) groups.set(top, group);
  }
  return groups;
}

/** Returns the failure for a path that the server would refuse. */
function nameFailure(relativePath: string): UploadFailure {
  const encoder = new TextEncoder();
  const isTooLong = (name: string) => encoder.encode(name).length > maxNameBytes;
  return relativePath.split('/').some(isTooLong) ? 'name_too_long' : 'invalid_name';
}
