import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from './user-context.ts';

/** What can happen to files (docs/reference/filebrowser-api.md §1.16). */
export type FileEvent = 'copy' | 'delete' | 'rename' | 'save' | 'upload';

/** One change of a file or a folder that somebody asked for and is allowed to make. */
export interface FileChange {
  readonly event: FileEvent;
  readonly userContext: UserContext;
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
  /** Runs after a change that had begun failed or was given up: some of it may have been made. */
  brokeOff?(change: FileChange): Promise<void>;
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
  /**
   * Like {@link FileEvents.run} for a change that finds out on its way whether anything speaks against it: `make` awaits
   * `begin` when that is settled and before it changes anything, with the destination it is about to use when that is
   * another than was asked for. A second call of `begin` does nothing; when it was not called, nothing was changed and
   * nobody hears of it.
   */
  runWhenReady<T>(
    change: FileChange,
    make: (begin: (destination?: VirtualPath) => Promise<void>) => Promise<T>,
    finalDestination?: (result: T) => VirtualPath,
  ): Promise<T>;
}

/** Opens the meeting point of file changes and their listeners. */
export function openFileEvents(): FileEvents {
  const listeners: FileChangeListener[] = [];
  const tell = async (what: 'after' | 'brokeOff', change: FileChange): Promise<void> => {
    const failures: unknown[] = [];
    for (const listener of listeners) {
      try {
        await listener[what]?.(change);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  const runWhenReady: FileEvents['runWhenReady'] = async (change, make, finalDestination) => {
    const begun: { change: Promise<FileChange> | null } = { change: null };
    const start = async (destination: VirtualPath | null): Promise<FileChange> => {
      const started = { ...change, destination };
      for (const listener of listeners) await listener.before?.(started);
      return started;
    };
    let result;
    try {
      result = await make(async (destination) => {
        begun.change ??= start(destination ?? change.destination);
        await begun.change;
      });
    } catch (error) {
      // What a listener refused before was never begun.
      const started = await begun.change?.catch(() => null);
      if (started) await tell('brokeOff', started);
      throw error;
    }
    const started = await begun.change;
    if (started === null) return result;
    await tell(
      'after',
      finalDestination === undefined ? started : { ...started, destination: finalDestination(result) },
    );
    return result;
  };
  return {
    subscribe(listener) {
      listeners.push(listener);
    },
    runWhenReady,
    run: (change, work, finalDestination) =>
      runWhenReady(
        change,
        async (begin) => {
          await begin();
          return work();
        },
        finalDestination,
      ),
  };
}
