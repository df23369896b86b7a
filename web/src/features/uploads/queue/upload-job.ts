import type { ErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PartialUpload } from '../../../api/upload-in-parts.ts';
import type { ConflictScope } from './conflict-queue.ts';
import type { TransferSpeed } from './transfer-speed.ts';

/**
 * In the order in which a list shows them. `asking`: the server found the name taken and the user has not answered yet.
 */
export const uploadStates = [
  'sending',
  'asking',
  'paused',
  'failed',
  'waiting',
  'cancelled',
  'skipped',
  'done',
] as const;
export type UploadState = (typeof uploadStates)[number];

/**
 * Why an upload failed. `blocked`: it has arrived, and its user has to decide what becomes of it. `name_too_long`: its name, or that of a folder around it, has too many bytes. `unreadable`: the
 * browser could not read the file on the user's machine.
 */
export type UploadFailure =
  ErrorCode | 'blocked' | 'no_connection' | 'connection_aborted' | 'name_too_long' | 'unreadable' | 'unknown';

/** One file or folder on its way. Changed in place by the queue; read it, never write it. */
export interface UploadJob {
  readonly id: number;
  readonly kind: 'file' | 'folder';
  /** Where it goes; keeping both gives it another name. Null when the server would refuse the name. */
  path: VirtualPath | null;
  name: string;
  /** Bytes; 0 for folders. */
  readonly size: number;
  /** As the browser guesses it from the name; empty when it cannot. */
  readonly mediaType: string;
  /** Bytes per second, smoothed; 0 while it is not sent. */
  readonly bytesPerSecond: number;
  state: UploadState;
  sentBytes: number;
  failure: UploadFailure | null;
  /** The connection was lost while it was sent, and another attempt will follow. */
  isInterrupted: boolean;
}

/** What the queue knows of a job beyond what it shows. */
export interface QueuedJob extends UploadJob {
  /** The name on the user's machine, from which free names are made. */
  readonly originalName: string;
  /** Let go once the file has been sent. */
  file: File | null;
  override: boolean;
  /** What the server holds of it already. */
  readonly partial: PartialUpload;
  /** The folder that must exist first. */
  readonly parent: QueuedJob | null;
  readonly scope: ConflictScope;
  bytesPerSecond: number;
  speed: TransferSpeed | null;
  abort: AbortController | null;
  /** The server said that the name is taken although the listing does not show it. */
  hasUnseenConflict: boolean;
}

/** Counts as this many bytes in progress and time left, so that empty files and folders take part: about one request. */
export const jobOverheadBytes = 4096;

export const weightOf = (job: UploadJob): number => job.size + jobOverheadBytes;
