import type { ErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { DetailCode } from '../../../api/exact-code.ts';
import type { PartialUpload } from '../../../api/uploads/upload-in-parts.ts';
import type { ConflictScope } from './conflict-queue.ts';
import type { UploadSpeed } from './upload-speed.ts';

/** The states of a job, in the order of the list. `asking`: the server reported a conflict and the user has not answered yet. */
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
 * The reason why an upload failed. `blocked`: all bytes were received, and the user has to decide how to finish. `name_too_long`:
 * its name, or that of a folder above it, has too many bytes. `unreadable`: the browser could not read the file on the
 * user's machine.
 */
export type UploadFailure =
  | ErrorCode
  | DetailCode
  | 'blocked'
  | 'no_connection'
  | 'connection_aborted'
  | 'name_too_long'
  | 'unreadable'
  | 'unknown';

/** The files in an uploaded folder: their number, and how many have arrived or failed. */
export interface FolderContents {
  readonly files: number;
  readonly done: number;
  readonly failed: number;
}

/** One file or folder in the queue. The queue changes it in place; others must only read it. */
export interface UploadJob {
  readonly id: number;
  readonly kind: 'file' | 'folder';
  /** The destination; the answer "keep both" changes the name. Null if the server would refuse the name. */
  path: VirtualPath | null;
  name: string;
  /** In bytes; 0 for folders. */
  readonly size: number;
  /** As the browser guesses it from the name; empty if unknown. */
  readonly mediaType: string;
  /** Bytes per second, smoothed; 0 while it is not being sent. */
  readonly bytesPerSecond: number;
  state: UploadState;
  sentBytes: number;
  failure: UploadFailure | null;
  /** The connection broke during the upload, and a retry will follow. */
  isInterrupted: boolean;
  /** Of a folder that is shown as one row with everything in it; null for others. */
  readonly contents: FolderContents | null;
}

/** A folder that was dropped or chosen. Its jobs are one row of the tray. */
export interface JobGroup {
  /** Also the id of the row. */
  readonly id: number;
  readonly name: string;
  readonly path: VirtualPath | null;
}

/** The place of a file in a folder upload. */
export interface JobFolder {
  readonly upload: FolderRecord;
  readonly file: string;
}

/** A folder whose upload is recorded on the server, so that it can be completed later. */
export interface FolderRecord {
  readonly id: string;
  /** The number of files that had not arrived when this page began to send. */
  readonly files: number;
}

/** The properties of a job that only the queue uses. */
export interface QueuedJob extends UploadJob {
  /** The name on the user's machine, from which free names are derived. */
  readonly originalName: string;
  /** Released once the file has been sent. */
  file: File | null;
  override: boolean;
  /** The state of the resumable upload on the server. */
  readonly partial: PartialUpload;
  /** The folder upload that the file belongs to, and its path in that folder; null for none. */
  readonly folder: JobFolder | null;
  /** The handle with which the file can be read again after a reload; null if the browser has none. */
  readonly handle: FileSystemFileHandle | null;
  /** The folder with which it is shown; null if it has a row of its own. */
  readonly group: JobGroup | null;
  /** The folder that must exist first. */
  readonly parent: QueuedJob | null;
  readonly scope: ConflictScope;
  bytesPerSecond: number;
  speed: UploadSpeed | null;
  abort: AbortController | null;
  /** The server reported a conflict although the listing does not contain the name. */
  hasUnseenConflict: boolean;
}

/** The weight of a request in progress and remaining time, in bytes, so that empty files and folders count too. */
export const jobOverheadBytes = 4096;

export const weightOf = (job: UploadJob): number => job.size + jobOverheadBytes;

/** The destination and identity of a file, by which pages recognize that they upload the same one. */
export interface FileIdentity {
  readonly path: VirtualPath;
  readonly size: number;
  readonly modifiedMs: number;
}
