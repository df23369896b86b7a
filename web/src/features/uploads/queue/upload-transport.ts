import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PartialUpload } from '../../../api/upload-in-parts.ts';
import type { FolderNames } from '../collecting/plan-batch.ts';
import type { UploadFailure } from './upload-job.ts';

/** How one file is sent. */
export interface SendOptions {
  override: boolean;
  signal: AbortSignal;
  /** How many bytes have left this machine. */
  onProgress: (sentBytes: number) => void;
  /** How many bytes the server holds, as it says; fewer than were sent when some of them were lost on the way. */
  onHeld: (bytes: number) => void;
  /** Told when the connection is lost and another attempt will follow, and again when it begins. */
  onInterrupted: (isInterrupted: boolean) => void;
  /** Belongs to the job: what the server holds of a file that is sent in parts. */
  partial: PartialUpload;
}

/** How the queue reaches the server. The functions throw an error with a `code` of the error table. */
export interface UploadTransport {
  sendFile: (path: VirtualPath, file: File, options: SendOptions) => Promise<unknown>;
  /** Lets the server remove what it holds of an upload that nobody will finish. Never throws. */
  giveUp: (partial: PartialUpload) => Promise<void>;
  createFolder: (path: VirtualPath, signal: AbortSignal) => Promise<unknown>;
  listFolder: (path: VirtualPath) => Promise<FolderNames>;
}

/** An entry that has arrived. */
export interface UploadedEntry {
  path: VirtualPath;
  name: string;
  isFolder: boolean;
  /** Bytes; 0 for folders. */
  size: number;
  /** Unix milliseconds by the clock of this machine. */
  modifiedMs: number;
}

/** Why sending failed, from what the transport threw. */
export function failureOf(error: unknown): UploadFailure {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? (code as UploadFailure) : 'unknown';
}
