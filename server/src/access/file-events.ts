import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Entry } from '../storage/storage.ts';
import type { Operation } from './operation.ts';
import type { UserContext } from './user-context.ts';

/** Kinds of changes to files (docs/reference/filebrowser-api.md §1.16). */
export type FileEvent = 'copy' | 'delete' | 'purge' | 'rename' | 'restore' | 'save' | 'upload';

/** One change of a file or folder that was requested and is permitted. */
export interface FileChange {
  readonly event: FileEvent;
  readonly userContext: UserContext;
  /** Within the user's scope. For `restore` and `purge` the place of the deleted entry. */
  readonly path: VirtualPath;
  /** Destination of a copy, move or restoration within the user's scope; null for other events. */
  readonly destination: VirtualPath | null;
  /** The request or job that makes the change; absent if its changes are not kept. */
  readonly operation?: Operation;
  /** The entries that the change has kept so far; complete when the change is. Absent if it keeps none. */
  readonly kept?: readonly KeptEntry[];
  /** Whether more changes of the operation follow at once, so that listeners may store what they record of them together. */
  readonly isOneOfMany?: boolean;
  /** Whether a deletion is forever. What it has kept is removed when the time for cancelling has passed. */
  readonly isPermanent?: boolean;
  /** The deleted entry of `restore` and `purge`. */
  readonly keptId?: string;
  /** The file that a complete upload or save has written, if the change returned it. */
  readonly entry?: Entry;
}

/** A copy of a change, which receives the entry that it has written. */
type OwnChange = Omit<FileChange, 'entry'> & { entry?: Entry };

/** The result of a listener: undefined when it is done at once, which costs nothing to wait for. */
export type Notified = Promise<void> | undefined;

/** A listener for changes of files. */
export interface FileChangeListener {
  /** Runs before the change. An error cancels the change. */
  before?(change: FileChange): Notified;
  /** Whether `before` does something now that must not happen for a change that is refused in the end, such as running a program. */
  actsBefore?(event: FileEvent): boolean;
  /** Runs after the change is complete, with the final destination. */
  after?(change: FileChange): Notified;
  /** Runs when a change that had started failed or was cancelled; it may be partially applied. */
  aborted?(change: FileChange): Notified;
}

/**
 * Every change of files goes through here, so that hooks and shares are notified of it no matter which
 * feature makes it.
 */
export interface FileEvents {
  subscribe(listener: FileChangeListener): void;
  /** Whether a listener's `before` may run only when no check of the change can fail any more. */
  actsBefore(event: FileEvent): boolean;
  /**
   * Runs `work` between the `before` and `after` calls of the listeners. Call it only after all checks
   * have passed. `finalDestination` returns the destination that a copy or move actually used. All listeners
   * are notified of a completed change, even if one of them fails. Throws errors of listeners and of
   * `work`.
   */
  run<T>(
    change: FileChange,
    work: () => Promise<T>,
    finalDestination?: (result: T) => VirtualPath,
  ): Promise<T>;
  /**
   * Runs `work`, which makes all `changes` in one step, between the `before` calls for all and the `after` calls for all.
   * An error of a listener before the step cancels all changes.
   */
  runTogether<T>(changes: readonly FileChange[], work: () => Promise<T>): Promise<T>;
  /**
   * Like {@link FileEvents.run}, for a change whose checks are part of the work: `make` awaits `begin` after
   * its checks and before it changes anything, passing the destination if it differs from the requested one.
   * A second call of `begin` does nothing. If `begin` was not called, nothing was changed and no listener is
   * notified.
   */
  runWhenReady<T>(
    change: FileChange,
    make: (begin: (destination?: VirtualPath) => Promise<void>) => Promise<T>,
    finalDestination?: (result: T) => VirtualPath,
  ): Promise<T>;
}

const isEntry = (result: unknown): result is Entry =>
  typeof result === 'object' && result !== null && 'modifiedNs' in result && 'kind' in result;

/** Creates the dispatcher of file events, without listeners. */
export function openFileEvents(): FileEvents {
  const listeners: FileChangeListener[] = [];
  const notify = async (phase: 'after' | 'aborted', ...changes: readonly FileChange[]): Promise<void> => {
    const failures: unknown[] = [];
    for (const change of changes) {
      for (const listener of listeners) {
        try {
          const pending = listener[phase]?.(change);
          if (pending !== undefined) await pending;
        } catch (error) {
          failures.push(error);
        }
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  const notifyBefore = async (change: FileChange): Promise<void> => {
    for (const listener of listeners) {
      const pending = listener.before?.(change);
      if (pending !== undefined) await pending;
    }
  };
  const runWhenReady: FileEvents['runWhenReady'] = async (change, make, finalDestination) => {
    const state: { announced: Promise<OwnChange> | null } = { announced: null };
    const announce = async (destination: VirtualPath | null): Promise<OwnChange> => {
      // Not a spread, for the reason in docs/decisions/0045-objects-of-a-request.md.
      const started: OwnChange = Object.assign({}, change, { destination });
      await notifyBefore(started);
      return started;
    };
    let result;
    try {
      result = await make(async (destination) => {
        state.announced ??= announce(destination ?? change.destination);
        await state.announced;
      });
    } catch (error) {
      // A change that a listener refused has not started; no listener is notified of it.
      const started = await state.announced?.catch(() => null);
      if (started) await notify('aborted', started);
      throw error;
    }
    const started = await state.announced;
    if (started === null) return result;
    const final =
      finalDestination === undefined
        ? started
        : Object.assign({}, started, { destination: finalDestination(result) });
    if (isEntry(result)) final.entry = result;
    await notify('after', final);
    return result;
  };
  return {
    subscribe(listener) {
      listeners.push(listener);
    },
    actsBefore: (event) => listeners.some((listener) => listener.actsBefore?.(event) === true),
    runWhenReady,
    async runTogether(changes, work) {
      const started: FileChange[] = [];
      let result;
      try {
        for (const change of changes) {
          await notifyBefore(change);
          started.push(change);
        }
        result = await work();
      } catch (error) {
        await notify('aborted', ...started);
        throw error;
      }
      await notify('after', ...started);
      return result;
    },
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
