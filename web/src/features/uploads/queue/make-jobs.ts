import { maxNameBytes, nameOf } from '@filestead/contract/paths/virtual-path';
import type { ConflictScope } from './conflict-queue.ts';
import type { PlannedUpload } from '../collecting/plan-batch.ts';
import type { QueuedJob, UploadFailure } from './upload-job.ts';

/**
 * Creates the jobs of planned uploads, each with the folder that must exist first. Ids are consecutive from `firstId`.
 */
export function makeJobs(
  uploads: readonly PlannedUpload[],
  scope: ConflictScope,
  firstId: number,
): QueuedJob[] {
  const folders = new Map<string, QueuedJob>();
  return uploads.map(({ item, path, override }, index) => {
    const slash = item.relativePath.lastIndexOf('/');
    const originalName = item.relativePath.slice(slash + 1);
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
      parent: folders.get(item.relativePath.slice(0, Math.max(0, slash))) ?? null,
      scope,
      speed: null,
      abort: null,
      hasUnseenConflict: false,
    };
    if (item.kind === 'folder') folders.set(item.relativePath, job);
    return job;
  });
}

/** Returns the failure for a path that the server would refuse. */
function nameFailure(relativePath: string): UploadFailure {
  const encoder = new TextEncoder();
  const isTooLong = (name: string) => encoder.encode(name).length > maxNameBytes;
  return relativePath.split('/').some(isTooLong) ? 'name_too_long' : 'invalid_name';
}
