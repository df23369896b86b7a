import type { VirtualPath } from '@filestead/contract/virtual-path';
import type { FolderNames } from './plan-batch.ts';
import type { UploadFailure } from './upload-job.ts';

/** How the queue reaches the server. The functions throw an error with a `code` of the error table. */
export interface UploadTransport {
  sendFile: (
    path: VirtualPath,
    file: File,
    options: { override: boolean; signal: AbortSignal; onProgress: (sentBytes: number) => void },
  ) => Promise<unknown>;
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
