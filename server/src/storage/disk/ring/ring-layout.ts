import { type EntryArrays, shortListingEntries } from '../../storage.ts';

/** The number of jobs that can be queued or running at once. A power of two. */
export const slotCount = 64;
/** Bytes of a slot for a request, and afterwards for its result. */
export const dataBytes = 72 * 1024;
/** Files up to this size (bytes) are returned with their content. */
export const maxContentBytes = 64 * 1024;
/** Folders with more entries are left to the listing workers. */
export const maxListedEntries = shortListingEntries;
/** Bytes of one listed entry beside its name: size, modification time, mode, kind, link. */
const entryBytes = 8 + 8 + 4 + 1 + 1;
/** Bytes available for the names of a listing, joined by `/`. */
export const maxNameBytes = dataBytes - maxListedEntries * entryBytes;

/**
 * The kinds of jobs that read: the metadata of an entry; a file's content, or an open descriptor if it is large; an open
 * descriptor in any case; a folder's listing; the metadata of an entry and, if it is a folder, its listing; the metadata of the
 * file that a write would replace.
 */
const readOperations = ['stat', 'read', 'open', 'list', 'statOrList', 'target'] as const;
export type ReadOperation = (typeof readOperations)[number];

/**
 * The kinds of jobs that write: a small file under a temporary name, flushed, which may get its new name at once; the rename of such
 * a file to a new name.
 */
const writeOperations = ['store', 'publish'] as const;
export type WriteOperation = (typeof writeOperations)[number];

export const operations = [...readOperations, ...writeOperations] as const;
export type Operation = ReadOperation | WriteOperation;

/** The kinds of results. `unsuitable` means that the job must be done without the ring; it has changed nothing. */
export const outcomes = [
  'missing',
  'entry',
  'content',
  'descriptor',
  'folder',
  'stored',
  'named',
  'failed',
  'published',
  'exists',
  'unsuitable',
  'error',
] as const;
export type Outcome = (typeof outcomes)[number];

/** States of a slot. Only the server frees a slot, even when no caller still waits for the result. */
export const slotStates = { free: 0, queued: 1, taken: 2, done: 3 } as const;

/** Positions in {@link RingMemory.control}. The counters overflow; only their equality and low bits matter. */
export const control = {
  /** Submitted jobs. Idle workers wait until it changes. */
  submitted: 0,
  /** Jobs that workers have taken. */
  taken: 1,
  /** Finished jobs. The server waits until it changes. */
  finished: 2,
  /** Workers that wait for a job. */
  idle: 3,
} as const;
const controlWords = 8;

/** Positions in {@link Slot.words}. */
export const word = {
  state: 0,
  operation: 1,
  /** The number of the worker that has taken the job. */
  worker: 2,
  scope: 3,
  scopeLength: 4,
  pathLength: 5,
  outcome: 6,
  /** Bytes of content, of a result as JSON, or of the text of an error. */
  length: 7,
  descriptor: 8,
  entries: 9,
  folders: 10,
  nameLength: 11,
  /** Bytes of the request as JSON, which follows the path. */
  requestLength: 12,
  /** Bytes of the body, which follows the request. */
  bodyLength: 13,
  /** The time that the flush took, in microseconds; 0 if there was none. */
  flushMicros: 14,
} as const;
const wordsPerSlot = 16;
/**
 * Values in {@link Slot.metadata}: device, inode, size, modification and change time (ns), mode, creation time (ns), and the upper half of
 * the modification time, which programs may set to any year.
 */
const metadataPerSlot = 8;
const slotBytes = wordsPerSlot * 4 + metadataPerSlot * 8 + dataBytes;

/** One job in shared memory. */
export interface Slot {
  readonly words: Int32Array;
  readonly metadata: BigInt64Array;
  /**
   * The serialized scope root, path, request and body; afterwards content, names after the arrays of a listing, a result
   * as JSON, or an error.
   */
  readonly data: Buffer;
  readonly listed: EntryArrays;
}

/** Views of the shared memory of a ring. */
export interface RingMemory {
  readonly control: Int32Array;
  /** The slots of submitted jobs in order, at the low bits of the counters. */
  readonly queue: Int32Array;
  readonly slots: readonly Slot[];
}

/** The offset of the names of a listing in {@link Slot.data}. */
export const namesOffset = maxListedEntries * entryBytes;

const headBytes = (controlWords + slotCount) * 4;

/** Allocates the memory of a ring. Pages are used by the operating system only once they are written. */
export const allocateRing = (): SharedArrayBuffer => new SharedArrayBuffer(headBytes + slotCount * slotBytes);

function viewSlot(memory: SharedArrayBuffer, index: number): Slot {
  const start = headBytes + index * slotBytes;
  const metadataStart = start + wordsPerSlot * 4;
  const dataStart = metadataStart + metadataPerSlot * 8;
  const max = maxListedEntries;
  return {
    words: new Int32Array(memory, start, wordsPerSlot),
    metadata: new BigInt64Array(memory, metadataStart, metadataPerSlot),
    data: Buffer.from(memory, dataStart, dataBytes),
    listed: {
      sizes: new Float64Array(memory, dataStart, max),
      modifiedMs: new Float64Array(memory, dataStart + max * 8, max),
      modes: new Uint32Array(memory, dataStart + max * 16, max),
      kinds: new Uint8Array(memory, dataStart + max * 20, max),
      links: new Uint8Array(memory, dataStart + max * 21, max),
    },
  };
}

/** Creates the views of a ring's memory. */
export const viewRing = (memory: SharedArrayBuffer): RingMemory => ({
  control: new Int32Array(memory, 0, controlWords),
  queue: new Int32Array(memory, controlWords * 4, slotCount),
  slots: Array.from({ length: slotCount }, (_, index) => viewSlot(memory, index)),
});
