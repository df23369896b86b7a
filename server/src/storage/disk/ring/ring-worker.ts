import { LimitedMap } from '../../../limited-map.ts';
import { parentPort, workerData } from 'node:worker_threads';
import type { ScopeRoot } from '../paths/locate.ts';
import {
  type Slot,
  control,
  type RingMemory,
  operations,
  outcomes,
  slotCount,
  slotStates,
  viewRing,
  word,
} from './ring-layout.ts';
import { runRead } from './run-read.ts';
import { runWrite } from './run-write.ts';
import { deserializeScopeRoot } from './shared-scope.ts';

/** The data with which a worker is started. */
export interface RingWorkerData {
  readonly memory: SharedArrayBuffer;
  /** The number of the worker, starting at 1. */
  readonly number: number;
  /** A worker without a job for this time ends, in milliseconds. */
  readonly idleMs: number;
}

/** Maximum number of scope roots kept in parsed form. */
const maxScopes = 256;
const scopes = new LimitedMap<number, ScopeRoot>(maxScopes);

function scopeOf({ words, data }: Slot): ScopeRoot {
  const id = words[word.scope] ?? 0;
  let scope = scopes.get(id);
  if (scope === undefined) {
    scope = deserializeScopeRoot(data.subarray(0, words[word.scopeLength]));
    scopes.set(id, scope);
  }
  return scope;
}

function requestOf({ words, data }: Slot): string {
  const start = (words[word.scopeLength] ?? 0) + (words[word.pathLength] ?? 0);
  return data.toString('utf8', start, start + (words[word.requestLength] ?? 0));
}

function run(slot: Slot): void {
  const { words, data } = slot;
  const scopeRoot = scopeOf(slot);
  const scopeLength = words[word.scopeLength] ?? 0;
  const path = data.toString('utf8', scopeLength, scopeLength + (words[word.pathLength] ?? 0));
  const segments = path === '' ? [] : path.split('/');
  const operation = operations[words[word.operation] ?? 0] ?? 'stat';
  const outcome =
    operation === 'store' || operation === 'publish'
      ? runWrite(scopeRoot, operation, segments, requestOf(slot), slot)
      : runRead(scopeRoot, operation, segments, slot);
  words[word.outcome] = outcomes.indexOf(outcome);
}

/** Takes the oldest job. Returns null when another worker was faster, and undefined when the queue is empty. */
function take({ control: counters, queue, slots }: RingMemory, number: number): Slot | null | undefined {
  const taken = Atomics.load(counters, control.taken);
  if (taken === Atomics.load(counters, control.submitted)) return undefined;
  // This position of the queue is not reused until the job has been taken.
  const slot = slots[Atomics.load(queue, taken & (slotCount - 1))];
  if (Atomics.compareExchange(counters, control.taken, taken, (taken + 1) | 0) !== taken) return null;
  if (slot === undefined) throw new Error('the queue names a slot that does not exist');
  slot.words[word.worker] = number;
  Atomics.store(slot.words, word.state, slotStates.taken);
  return slot;
}

/** Runs jobs until there has been none for `idleMs`. */
function serve({ memory, number, idleMs }: RingWorkerData): void {
  const ring = viewRing(memory);
  const counters = ring.control;
  for (;;) {
    const submitted = Atomics.load(counters, control.submitted);
    const slot = take(ring, number);
    if (slot === null) continue;
    if (slot === undefined) {
      Atomics.add(counters, control.idle, 1);
      const woken = Atomics.wait(counters, control.submitted, submitted, idleMs);
      Atomics.sub(counters, control.idle, 1);
      if (woken === 'timed-out') return;
      continue;
    }
    run(slot);
    Atomics.store(slot.words, word.state, slotStates.done);
    Atomics.add(counters, control.finished, 1);
    Atomics.notify(counters, control.finished);
  }
}

// The thread never returns to its event loop while it serves.
parentPort?.postMessage('ready', []);
serve(workerData as RingWorkerData);
