import type { VirtualPath } from '@filestead/contract/virtual-path';
import type { Caller } from '../http/caller.ts';

/** What can happen to files (existing API §1.16). */
export type FileEvent = 'copy' | 'delete' | 'rename' | 'save' | 'upload';

/** One change of a file or a folder that somebody asked for and is allowed to make. */
export interface FileChange {
  readonly event: FileEvent;
  readonly caller: Caller;
  /** Within the caller's scope. */
  readonly path: VirtualPath;
  /** Where a copy or a move leads, within the caller's scope; null for the other events. */
  readonly destination: VirtualPath | null;
}

/** Whoever wants to know of changes. */
export interface FileChangeListener {
  /** Runs before the change; what it throws cancels the change. */
  before?(change: FileChange): Promise<void>;
  /** Runs after the change was made, with the destination that was used in the end. */
  after?(change: FileChange): Promise<void>;
}

/** Every change of files goes through here, so that hooks and links hear of it, whoever makes it. */
export interface FileEvents {
  subscribe(listener: FileChangeListener): void;
  /**
   * Makes a change between the listeners' two parts. To be called when nothing speaks against the change any more.
   * `finalDestination` reads from the result where a copy or a move really went. All listeners hear of a change that was
   * made, even when one of them fails. Throws what a listener or `work` throws.
   */
  run<T>(
    change: FileChange,
    work: () => Promise<T>,
    finalDestination?: (result: T) => VirtualPath,
  ): Promise<T>;
}

/** Opens the meeting point of file changes and their listeners. */
export function openFileEvents(): FileEvents {
  const listeners: FileChangeListener[] = [];
  return {
    subscribe(listener) {
      listeners.push(listener);
    },
    async run(change, work, finalDestination) {
      for (const listener of listeners) await listener.before?.(change);
      const result = await work();
      const made =
        finalDestination === undefined ? change : { ...change, destination: finalDestination(result) };
      const failures: unknown[] = [];
      for (const listener of listeners) {
        try {
          await listener.after?.(made);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return result;
    },
  };
}
