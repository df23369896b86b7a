import type { RequestedPath, VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileEvents } from '../access/file-events.ts';
import type { KeepRequest, Operation, Operations } from '../access/operation.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { JobRepository } from '../database/database.ts';
import type { KeepOptions } from '../storage/kept/kept-entries.ts';
import type { Continuation, RemoveOptions, Storage, TransferOptions } from '../storage/storage.ts';
import type { ArchiveOperations } from './archive-operations.ts';
import type { RestoreTarget } from './job-progress.ts';
import type { JobRecord } from './job-record.ts';
import type { ProgressLog } from './progress-log.ts';

/** A copy or move of one item. */
export interface Transfer {
  readonly action: 'copy' | 'rename';
  readonly from: VirtualPath;
  readonly isFromFolderPath: boolean;
  readonly to: VirtualPath;
  readonly overwrite: boolean;
  readonly picksFreeName: boolean;
  readonly scope: string;
  readonly beforeChange: (destination: VirtualPath) => Promise<void>;
  readonly keeping: KeepOptions;
  readonly continuation: Continuation;
  readonly onProgress: TransferOptions['onProgress'];
  readonly signal: AbortSignal;
}

/** The file operations of single requests, with all their checks. */
export interface FileOperations {
  /** Resolves to the final path. */
  transfer(storage: Storage, transfer: Transfer): Promise<VirtualPath>;
  remove(
    storage: Storage,
    requested: RequestedPath,
    options: Omit<RemoveOptions, keyof KeepOptions> & { readonly keeping: KeepRequest | null },
  ): Promise<void>;
}

/** Restores a deleted entry with the user's current scope and permissions. */
export type RestoreOne = (
  operation: Operation,
  id: string,
  target: RestoreTarget & { readonly signal: AbortSignal },
) => Promise<{ readonly path: VirtualPath; readonly shares: readonly string[] }>;

/**
 * Undoes a logged step with the current permissions of the user of `operation`. Resolves to the path of the restored entry,
 * if there is one.
 */
export type UndoOne = (
  operation: Operation,
  step: number,
  signal: AbortSignal,
) => Promise<VirtualPath | null>;

/** The parts of the server that running jobs use. */
export interface JobDependencies {
  readonly userContexts: UserContexts;
  readonly events: FileEvents;
  readonly operations: FileOperations;
  readonly archives: ArchiveOperations;
  readonly beginOperation: Operations['begin'];
  readonly keepsDeletedAt: Operations['keepsDeletedAt'];
  readonly restore: RestoreOne;
  readonly undo: UndoOne;
  /**
   * Returns the ids of the entries that an interrupted deletion has moved to the trash since a time (Unix milliseconds), by their
   * places in the served root, and completes its log, of which a crash loses the last steps.
   */
  readonly recoverDeletions: (
    operation: Operation,
    since: number,
  ) => Promise<ReadonlyMap<VirtualPath, string>>;
  /** Called when a job begins to change files in this run of the server, and when it has ended. */
  readonly onOperation: { begin(id: string): void; end(id: string): void };
  /** Stores what listeners have collected of the changes of a job. Called before a job ends. */
  readonly storeChanges: () => Promise<void>;
  /** Reads the items of a job from `first` on, as they were stored. */
  readonly repository: Pick<JobRepository, 'items' | 'results'>;
  /** Removes the unfinished copy `temporaryName` beside `path` of the served folder. */
  readonly discard: (path: VirtualPath, temporaryName: string) => Promise<void>;
  readonly progressOf: (job: JobRecord) => ProgressLog;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
}
