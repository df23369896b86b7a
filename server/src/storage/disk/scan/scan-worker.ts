import fs from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { maxPathBytes } from '@filestead/contract/paths/virtual-path';
import { at } from '../paths/folder.ts';
import { FolderCursor } from './folder-cursor.ts';
import { packFolders } from './pack-folders.ts';
import { ScanPace, sliceMs } from './scan-pace.ts';
import { TreeWatcher } from './tree-watcher.ts';
import { changeTimeOf, scanFolder, scanNames, unreadFolder } from './scan-folder.ts';
import {
  namesOf,
  type ScanMessage,
  type ScannedFolder,
  type ScanRequest,
  type ScanStart,
} from './scan-protocol.ts';

// Reads folders for the catalogue, on a thread of the lowest priority. Pauses between slices of work that is not urgent.

/** Folders are sent when their entries reach this number, or at the end of a slice. */
const maxEntriesPerMessage = 16_384;

const folderKind = 1;

interface Running {
  readonly id: number;
  readonly isUrgent: boolean;
  /** Yields read folders, and undefined between parts of a large one. */
  readonly steps: Generator<ScannedFolder | undefined, void>;
}

/** The inodes whose entries are reported. */
let markedInodes: ReadonlySet<number> = new Set();

/** Reads one folder. */
function* readOne(start: ScanStart, cursor: FolderCursor, path: string): Generator<undefined, ScannedFolder> {
  const folder = cursor.open(path);
  return typeof folder === 'string'
    ? unreadFolder(path, folder)
    : yield* scanFolder(start.scopeRoot, folder, path, markedInodes);
}

/** The paths of the folders in a folder that was read. */
function foldersIn({ path, names, kinds }: ScannedFolder): string[] {
  if (!kinds.includes(folderKind)) return [];
  const prefix = path === '' ? '' : `${path}/`;
  return names.split('\0').flatMap((name, i) => (kinds[i] === folderKind ? [prefix + name] : []));
}

/** Reads folders, with `isDeep` including everything below them: each folder before those in it, depth first. */
function* read(
  start: ScanStart,
  { paths, isDeep, maxDepth = Infinity }: Extract<ScanRequest, { kind: 'read' }>,
): Generator<ScannedFolder | undefined, void> {
  const cursor = new FolderCursor(start.scopeRoot);
  try {
    for (const top of paths) {
      const pending = [top];
      for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
        const folder = yield* readOne(start, cursor, path);
        yield folder;
        // Longer paths cannot be reached by a request.
        if (!isDeep || path.length > maxPathBytes || namesOf(path).length >= maxDepth) continue;
        const inner = foldersIn(folder);
        for (let i = inner.length - 1; i >= 0; i--) pending.push(inner[i] ?? '');
      }
    }
  } finally {
    cursor.close();
  }
}

/** Reads some entries of a folder. */
function* readNames(
  start: ScanStart,
  { path, names }: Extract<ScanRequest, { kind: 'readNames' }>,
): Generator<ScannedFolder | undefined, void> {
  const cursor = new FolderCursor(start.scopeRoot);
  try {
    const folder = cursor.open(path);
    if (typeof folder === 'string') yield unreadFolder(path, folder);
    else yield yield* scanNames(start.scopeRoot, folder, path, { names, inodes: markedInodes });
  } finally {
    cursor.close();
  }
}

/** Watches folders. */
function* watch(
  start: ScanStart,
  watcher: TreeWatcher,
  { paths }: Extract<ScanRequest, { kind: 'watch' }>,
): Generator<undefined, void> {
  const cursor = new FolderCursor(start.scopeRoot);
  try {
    for (const path of paths) {
      if (!watcher.hasRoom) return;
      if (!watcher.has(path)) {
        const folder = cursor.open(path);
        if (typeof folder !== 'string') watcher.add(path, folder);
      }
      yield;
    }
  } finally {
    cursor.close();
  }
}

/** Returns the steps of a request. */
function stepsOf(
  start: ScanStart,
  watcher: TreeWatcher,
  request: Exclude<ScanRequest, { kind: 'reportInodes' | 'cancel' }>,
): Running['steps'] {
  if (request.kind === 'watch') return watch(start, watcher, request);
  if (request.kind === 'read') return read(start, request);
  return request.kind === 'readNames' ? readNames(start, request) : check(start, request);
}

/** Whether the folder at `path`, whose parent the cursor opens, still has this time. */
function isUnchanged(cursor: FolderCursor, path: string, time: number): boolean {
  if (Number.isNaN(time)) return false;
  const slash = path.lastIndexOf('/');
  const parent = path === '' ? cursor.open('') : cursor.open(slash < 0 ? '' : path.slice(0, slash));
  if (typeof parent === 'string') return false;
  try {
    const name = path === '' ? '.' : path.slice(slash + 1);
    const stats = fs.lstatSync(at(parent, name), { throwIfNoEntry: false });
    return stats !== undefined && stats.isDirectory() && changeTimeOf(stats) === time;
  } catch {
    return false;
  }
}

/** Reads the folders that have changed. */
function* check(
  start: ScanStart,
  { paths, times }: Extract<ScanRequest, { kind: 'check' }>,
): Generator<ScannedFolder | undefined, void> {
  const cursor = new FolderCursor(start.scopeRoot);
  try {
    for (const [i, path] of paths.entries()) {
      if (isUnchanged(cursor, path, times[i] ?? Number.NaN)) yield;
      else yield yield* readOne(start, cursor, path);
    }
  } finally {
    cursor.close();
  }
}

/** Handles the requests of one port until it is closed. */
function serve(start: ScanStart): void {
  const { port } = start;
  const urgent: Running[] = [];
  const background: Running[] = [];
  const pace = new ScanPace(start.pace);
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let isPausing = false;
  /** The end of the pause of requests that are not urgent, on the clock of `performance`. */
  let pausesUntil = 0;

  const post = (message: ScanMessage): void => port.postMessage(message);
  const postFolders = (id: number, read: readonly ScannedFolder[]): void => {
    const { folders, buffer } = packFolders(read);
    port.postMessage({ kind: 'folders', id, folders } satisfies ScanMessage, [buffer]);
  };
  const watcher = new TreeWatcher(start.maxWatches, {
    onChanges: (changes) => post({ kind: 'changes', ...changes }),
    onExhausted: () => post({ kind: 'exhausted' }),
  });
  const work = (): void => {
    timer = undefined;
    isPausing = false;
    const began = performance.now();
    const job = urgent[0] ?? (began < pausesUntil ? undefined : background[0]);
    if (job === undefined) return schedule();
    const end = began + sliceMs;
    let folders: ScannedFolder[] = [];
    let entries = 0;
    let isDone = false;
    do {
      const step = job.steps.next();
      isDone = step.done === true;
      if (step.done === true || step.value === undefined) continue;
      folders.push(step.value);
      entries += step.value.kinds.length + 1;
      if (entries < maxEntriesPerMessage) continue;
      postFolders(job.id, folders);
      folders = [];
      entries = 0;
    } while (!isDone && performance.now() < end);
    if (folders.length > 0) postFolders(job.id, folders);
    if (isDone) {
      (job.isUrgent ? urgent : background).shift();
      post({ kind: 'end', id: job.id });
    }
    const now = performance.now();
    if (!job.isUrgent) pausesUntil = now + pace.pauseAfter(now - began);
    schedule();
  };
  const schedule = (): void => {
    if (urgent.length + background.length === 0) return;
    const delayMs = urgent.length > 0 ? 0 : pausesUntil - performance.now();
    isPausing = delayMs > 0;
    timer = isPausing ? setTimeout(work, Math.ceil(delayMs)) : setImmediate(work);
  };
  const begin = (): void => {
    if (timer !== undefined && !(isPausing && urgent.length > 0)) return;
    if (timer !== undefined) clearTimeout(timer as NodeJS.Timeout);
    schedule();
  };

  port.on('message', (request: ScanRequest) => {
    if (request.kind === 'reportInodes') {
      markedInodes = request.inodes;
      return;
    }
    if (request.kind === 'cancel') {
      for (const { steps } of background.splice(0)) steps.return();
      return;
    }
    const isUrgent = 'isUrgent' in request && request.isUrgent;
    (isUrgent ? urgent : background).push({
      id: request.id,
      isUrgent,
      steps: stepsOf(start, watcher, request),
    });
    begin();
  });
  port.on('close', () => {
    watcher.close();
    for (const { steps } of [...urgent.splice(0), ...background.splice(0)]) steps.return();
    parentPort?.close();
  });
}

try {
  // Applies to this thread only.
  setPriority(19);
} catch {
  // Not permitted on this system: only the pauses leave processor time to other work.
}

parentPort?.once('message', (start: ScanStart) => serve(start));
