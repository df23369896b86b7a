import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { startWorkerScript } from '../../../programs/worker-script.ts';
import type { RootWatch } from '../../views/served-root.ts';
import { openScopeRoot, type ServedScopeRoot } from '../open-scope-root.ts';
import { isRemote } from '../paths/file-system-types.ts';
import { closeFolder } from '../paths/folder.ts';
import type { LetterCase } from '../paths/letter-case.ts';
import { shareScopeRoot } from '../paths/shared-scope-root.ts';
import { syscalls } from '../paths/syscalls.ts';
import { toRawPath } from '../paths/raw-names.ts';
import type { ScanBudget, ScanStart } from './scan-protocol.ts';

/** A thread that reads folders of the served folder. */
export interface ScanThread {
  /** Requests and responses, see `scan-protocol.ts`; to be passed to another thread. */
  readonly port: MessagePort;
  /** Identifies the served folder on the disk. */
  readonly rootId: string;
  /** The maximum number of folders that the thread watches. */
  readonly maxWatches: number;
  /** Ends the thread and closes its root. */
  close(): Promise<void>;
}

/** Starts threads that read the served folder. Features get the results, but no access to the disk. */
export interface TreeScan {
  /** The case sensitivity of the file systems below the root. */
  readonly letterCases: readonly LetterCase[];
  /**
   * Throws `storage_unavailable` while the served folder is unavailable. Resolves to a number that changes when the folder
   * is replaced.
   */
  check(): Promise<number>;
  /** Whether the served folder is on a network or FUSE file system, where reading may be expensive. */
  isRemote(): Promise<boolean>;
  /** Starts a thread. `onEnd` is called when it ends unexpectedly. */
  start(budget: ScanBudget, onEnd: (error: Error) => void): Promise<ScanThread>;
}

/** The thread keeps nothing: the entries that it reads are sent at once. */
const scanLimits = { maxYoungGenerationSizeMb: 6 };

/**
 * Opens the scan of a served folder. With `watch`, each thread reads the folder that is served at its start. A thread watches as many
 * folders as `maxWatches` returns at its start, where folders are confined by descriptors.
 */
export function openTreeScan(
  served: ServedScopeRoot,
  letterCases: readonly LetterCase[],
  watch?: RootWatch,
  maxWatches: () => number = () => 0,
): TreeScan {
  const isServedRemotely = async (): Promise<boolean> =>
    isRemote((await syscalls.statfs(toRawPath(served.root))).type);
  return {
    letterCases,
    async check() {
      await watch?.assertAvailable();
      return watch?.generation ?? 0;
    },
    isRemote: isServedRemotely,
    async start(budget, onEnd) {
      const pace = budget === 'quarter' && (await isServedRemotely()) ? 'remote' : budget;
      const scopeRoot = await openScopeRoot(served);
      const { confinement, root } = scopeRoot;
      let isClosing = false;
      let worker: Worker;
      try {
        const source = new URL('./scan-worker.ts', import.meta.url);
        worker = startWorkerScript('scan-worker', source, undefined, scanLimits);
      } catch (error) {
        closeFolder(root);
        throw error;
      }
      const { port1, port2 } = new MessageChannel();
      const ended = new Promise<void>((resolve) => {
        worker.on('error', (error) => {
          if (!isClosing) onEnd(error instanceof Error ? error : new Error(String(error)));
        });
        worker.on('exit', (code) => {
          closeFolder(root);
          resolve();
          if (!isClosing) onEnd(new Error(`scan-worker ended with exit code ${code}`));
        });
      });
      const start: ScanStart = {
        port: port2,
        scopeRoot: shareScopeRoot(scopeRoot),
        pace,
        maxWatches: confinement === 'descriptor' ? maxWatches() : 0,
      };
      worker.postMessage(start, [port2]);
      return {
        port: port1,
        rootId: `${root.device}:${root.inode}`,
        maxWatches: start.maxWatches,
        async close() {
          isClosing = true;
          await worker.terminate();
          await ended;
        },
      };
    },
  };
}
