import fs, { type FSWatcher } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { sendableError } from '../disk/paths/errors.ts';
import { textOfRaw } from '../disk/paths/raw-names.ts';
import { ChangeCollector } from './change-collector.ts';
import { readMaxQueuedEvents } from './max-queued-events.ts';
import type { WatchMessage, WatchRequest } from './observe-protocol.ts';

/** The time for which events are collected before they are reported (milliseconds). */
const collectMs = 20;

if (parentPort === null) throw new Error('this module runs in a worker');
const port = parentPort;
const watchers = new Map<number, FSWatcher>();
const collector = new ChangeCollector(readMaxQueuedEvents());
let isEndScheduled = false;
let isReportDue = false;

const post = (message: WatchMessage): void => port.postMessage(message);

function report(): void {
  isReportDue = false;
  for (const [id, change] of collector.take()) post({ kind: 'change', id, ...change });
}

function scheduleReport(): void {
  if (isReportDue) return;
  isReportDue = true;
  setTimeout(report, collectMs);
}

function scheduleIterationEnd(): void {
  if (isEndScheduled) return;
  isEndScheduled = true;
  // Runs after all events of this iteration of the event loop.
  setImmediate(() => {
    isEndScheduled = false;
    collector.endIteration(watchers.keys());
  });
}

/** Stops watching a folder. */
function close(id: number): void {
  watchers.get(id)?.close();
  watchers.delete(id);
  collector.forget(id);
}

function watch(id: number, folder: string): void {
  // Events of the folder itself carry the last name of the watched path instead of the name of an entry.
  const ownName = path.basename(folder);
  try {
    const watcher = fs.watch(folder, { encoding: 'buffer', persistent: false }, (kind, raw) => {
      const name = raw === null ? null : textOfRaw(raw);
      scheduleIterationEnd();
      if (name !== null) collector.add(id, kind === 'change' ? 'change' : 'rename', name);
      if (name === null || name === ownName) collector.addMoved(id);
      scheduleReport();
    });
    watcher.on('error', () => {
      collector.addMoved(id);
      scheduleReport();
    });
    watchers.set(id, watcher);
    post({ kind: 'watching', id });
  } catch (error) {
    post({ kind: 'failed', id, code: sendableError(error).code });
  }
}

port.on('message', (request: WatchRequest) => {
  if (request.kind === 'watch') {
    watch(request.id, request.path);
    return;
  }
  close(request.id);
  post({ kind: 'closed', id: request.id });
});
