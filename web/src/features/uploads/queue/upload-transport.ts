import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { exactCodeOf } from '../../../api/exact-code.ts';
import type { PartialUpload } from '../../../api/uploads/upload-in-parts.ts';
import type { FolderNames } from '../collecting/plan-batch.ts';
import type { UploadFailure } from './upload-job.ts';

/** The options of sending one file. */
export interface SendOptions {
  override: boolean;
  signal: AbortSignal;
  /** Called with the number of bytes sent. */
  onProgress: (sentBytes: number) => void;
  /** Called with the number of bytes that the server has confirmed; less than was sent if some were lost. */
  onConfirmed: (bytes: number) => void;
  /** Called with true when the connection breaks and a retry will follow, and with false when the retry starts. */
  onInterrupted: (isInterrupted: boolean) => void;
  /** The state of the resumable upload, which belongs to the job. */
  partial: PartialUpload;
  /** The folder upload that the file belongs to, and its path in that folder; null for none. */
  folder: { readonly id: string; readonly file: string } | null;
  /** The handle of the file, with which it can be read again after a reload; null for none. */
  handle: FileSystemFileHandle | null;
}

/** A folder that is about to be uploaded. */
export interface AnnouncedFolder {
  /** The destination of the folder. */
  readonly path: VirtualPath;
  /** Its name on the user's machine. */
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
  readonly handle: FileSystemDirectoryHandle | null;
}

/** The interface to the server. The functions throw an error with a `code` of the error table. */
export interface UploadTransport {
  sendFile: (path: VirtualPath, file: File, options: SendOptions) => Promise<unknown>;
  /** Whether a file of this size, in bytes, is sent together with other small files. */
  isSmall: (size: number) => boolean;
  /** Lets the server remove a cancelled upload. Never throws. */
  discard: (partial: PartialUpload) => Promise<void>;
  /** Records the upload of a folder on the server, and returns its id; null if that is impossible. Never throws. */
  announceFolder: (folder: AnnouncedFolder) => Promise<string | null>;
  /** Ends the record of a folder upload. Never throws. */
  forgetFolder: (id: string) => Promise<void>;
  createFolder: (path: VirtualPath, signal: AbortSignal) => Promise<unknown>;
  listFolder: (path: VirtualPath) => Promise<FolderNames>;
}

/** A finished upload. */
export interface UploadedEntry {
  path: VirtualPath;
  name: string;
  isFolder: boolean;
  /** In bytes; 0 for folders. */
  size: number;
  /** In Unix milliseconds by the clock of this machine. */
  modifiedMs: number;
}

/** Returns the reason of a failure from the error that the transport threw. */
export function failureOf(error: unknown): UploadFailure {
  return exactCodeOf(error, 'unknown') as UploadFailure;
}
