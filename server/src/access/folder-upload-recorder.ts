import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from './user-context.ts';

/** A file of a folder upload, as described by its client. */
export interface FolderUploadFile {
  /** The path of the file in the folder on the user's machine. */
  readonly file: string;
  /** The destination in the user's scope. */
  readonly path: VirtualPath;
  readonly sizeBytes: number;
  /** The modification time on the user's machine, in Unix milliseconds. */
  readonly modifiedMs: number;
}

/**
 * Records which files of folder uploads have arrived, so that an interrupted folder upload can be completed later. A
 * folder upload that is unknown, has ended or belongs to another user is ignored; its files are stored nevertheless.
 */
export interface FolderUploadRecorder {
  /** Records that files are about to be stored. Resolves when a crash of the server cannot lose the record. */
  recordBegun(userContext: UserContext, folderId: string, files: readonly FolderUploadFile[]): Promise<void>;
  /** Records that a file has been stored. */
  recordArrived(folderId: string, file: string): void;
}
