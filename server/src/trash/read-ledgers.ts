import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { NameKey, TrashRepository } from '../database/trash-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { KeptEntry, LedgerRecord } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { nameKeyFor, storedOf } from '../access/keeping/kept-entry.ts';

/** Records that are applied together, at most: about 10 ms. */
const recordsAtOnce = 250;

/** The number of records that {@link readLedgers} applied. */
export interface LedgersRead {
  /** Entries that are in the stores. */
  kept: number;
  /** Those of them whose removal has been decided. */
  doomed: number;
  /** Entries that are no longer in the stores. */
  ended: number;
}

/** Returns the kind with which a record is applied: an entry that is no longer in the store is added first. */
const appliedAs = ({ kind }: LedgerRecord): string => (kind === 'past' ? 'keep' : kind);

/** Applies the records of one store to the index, in their order. */
class LedgerReader {
  readonly #storage: Storage;
  readonly #now: number;
  /** The number of the last move that the index has followed. */
  readonly #lastMove: number;
  readonly #counts = { kept: 0, ended: 0 };
  readonly #doomed = new Set<string>();
  #repository: TrashRepository;
  /** Restorations whose end has not been read, by the id of the entry. */
  readonly #restoring = new Map<string, VirtualPath>();
  /** Entries that are no longer in the store, and whose end has not been read. */
  readonly #past = new Set<string>();

  constructor(repository: TrashRepository, storage: Storage, now: number, lastMove: number) {
    this.#repository = repository;
    this.#storage = storage;
    this.#now = now;
    this.#lastMove = lastMove;
  }

  get counts(): LedgersRead {
    return { ...this.#counts, doomed: this.#doomed.size };
  }

  /** Whether later records are understood without the earlier ones. */
  get canContinueLater(): boolean {
    return this.#restoring.size === 0 && this.#past.size === 0;
  }

  /** Applies further records with `repository`. Consecutive records of one kind are applied together. */
  async apply(repository: TrashRepository, records: readonly LedgerRecord[]): Promise<void> {
    this.#repository = repository;
    for (let first = 0; first < records.length;) {
      const kind = appliedAs(records[first] as LedgerRecord);
      let end = first + 1;
      while (end < records.length && appliedAs(records[end] as LedgerRecord) === kind) end += 1;
      await this.#applyAll(kind, records.slice(first, end));
      first = end;
    }
  }

  async #applyAll(kind: string, records: readonly LedgerRecord[]): Promise<void> {
    for (const record of records) {
      if (record.kind === 'keep') this.#counts.kept += 1;
      else if (record.kind === 'doom') this.#doomed.add(record.id);
      else if (record.kind === 'end') {
        this.#counts.ended += 1;
        this.#doomed.delete(record.id);
      }
    }
    if (kind === 'keep') await this.#addEntries(records);
    else if (kind === 'doom') await this.#hide(records);
    else if (kind === 'end') await this.#end(records);
    else for (const record of records) await this.#applyOne(record);
  }

  /** Removes entries that are not in the store although their end is not recorded. */
  async end(): Promise<void> {
    await this.#repository.remove([...this.#past]);
  }

  #keyAt(path: VirtualPath): NameKey {
    return nameKeyFor(this.#storage.ignoresCaseAt(path));
  }

  async #addEntries(records: readonly LedgerRecord[]): Promise<void> {
    const entries: KeptEntry[] = [];
    for (const record of records) {
      if (record.kind === 'keep') entries.push(record.entry);
      else if (record.kind === 'past') {
        // Whether it was a folder is unknown if its record was written ahead; it only matters for what was below it.
        entries.push({ ...record.entry, kind: 'folder' });
        this.#past.add(record.entry.id);
      }
    }
    for (const ignoresCase of [true, false]) {
      const group = entries.filter(({ place }) => this.#storage.ignoresCaseAt(place) === ignoresCase);
      if (group.length > 0) await this.#repository.add(group.map(storedOf), nameKeyFor(ignoresCase));
    }
  }

  async #hide(records: readonly LedgerRecord[]): Promise<void> {
    const ids = records.flatMap((record) => (record.kind === 'doom' ? [record.id] : []));
    for (const id of ids) this.#restoring.delete(id);
    await this.#repository.hide(await this.#repository.withBytes(ids), this.#now, null);
  }

  async #end(records: readonly LedgerRecord[]): Promise<void> {
    let removed: string[] = [];
    for (const record of records) {
      if (record.kind !== 'end') continue;
      const { id } = record;
      this.#past.delete(id);
      const to = this.#restoring.get(id);
      if (to === undefined) {
        removed.push(id);
        continue;
      }
      this.#restoring.delete(id);
      await this.#repository.remove(removed);
      removed = [];
      await this.#repository.restored(id, to, this.#keyAt(to));
    }
    await this.#repository.remove(await this.#repository.withBytes(removed));
  }

  async #applyOne(record: LedgerRecord): Promise<void> {
    if (record.kind === 'restore') this.#restoring.set(record.id, record.to);
    else if (record.kind === 'annotation') await this.#repository.annotate(record.id, record);
    else if (record.kind === 'move' && record.number > this.#lastMove) {
      const { from, to } = record;
      await this.#repository.movePlaces(from, to, this.#keyAt(to));
    }
  }
}

/** The dependencies of {@link readLedgers}. */
export interface LedgerReading {
  readonly repository: TrashRepository;
  readonly storage: Storage;
  /** Unix milliseconds. */
  readonly now: number;
  /** Ends the reading early; the next one continues there. */
  readonly signal?: AbortSignal;
  /** Called with deletions that the index does not contain, before they are added: the process that made them was killed. */
  readonly onUnrecorded?: (entries: readonly KeptEntry[]) => Promise<void>;
}

/** Yields the records of a store in pieces. */
async function* inPieces(records: AsyncIterable<LedgerRecord>): AsyncGenerator<readonly LedgerRecord[]> {
  let piece: LedgerRecord[] = [];
  for await (const record of records) {
    piece.push(record);
    if (piece.length < recordsAtOnce) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** Returns the number of the last move in `records`; `before` without one. */
const lastMoveIn = (records: readonly LedgerRecord[], before: number): number =>
  records.reduce((last, record) => (record.kind === 'move' ? Math.max(last, record.number) : last), before);

/** The time before the last record in which a deletion may not have been recorded in the index (milliseconds). */
const unrecordedMs = 60_000;

const deletionsOf = (records: readonly LedgerRecord[]): KeptEntry[] =>
  records.flatMap((record) =>
    record.kind === 'keep' && record.entry.cause.act === 'delete' ? [record.entry] : [],
  );

/** Returns the deletions of the last minute. */
function latest(deletions: readonly KeptEntry[]): KeptEntry[] {
  const end = deletions.reduce((last, { keptAt }) => Math.max(last, keptAt), 0);
  return deletions.filter(({ keptAt }) => keptAt >= end - unrecordedMs);
}

/** Reads the whole ledger of a store of which the index contains nothing, in one transaction. */
async function readWhole(
  { repository, storage, now, onUnrecorded }: LedgerReading,
  store: VirtualPath,
): Promise<LedgersRead> {
  let deletions: KeptEntry[] = [];
  const counts = await repository.inOwnTree(async (own) => {
    const reader = new LedgerReader(own, storage, now, 0);
    let position: string | undefined;
    let number = 0;
    for await (const records of inPieces(storage.ledger(store, { includesPast: true }))) {
      await reader.apply(own, records);
      position = records.at(-1)?.position;
      number = lastMoveIn(records, number);
      deletions = latest([...deletions, ...deletionsOf(records)]);
      if (isYieldDue()) await yieldToEventLoop();
    }
    await reader.end();
    if (position !== undefined) await own.setLedgerPosition(store, position, number);
    return reader.counts;
  });
  // Most were recorded before the index was lost, and their shares may belong to other files of the same names by now.
  if (deletions.length > 0) await onUnrecorded?.(deletions);
  return counts;
}

/** Whether a record was written ahead, together with those of other entries that an operation was going to delete. */
const isWrittenAhead = ({ kind, size, modifiedNs }: KeptEntry): boolean =>
  kind === 'special' && size === null && modifiedNs === '0';

/**
 * Collects the records of deletions that never happened: they were written ahead for a job that was cancelled or killed. Unlike the
 * records of entries that another program has removed from the store, they say nothing about a loss.
 */
class AbandonedRecords {
  readonly #entries = new Map<string, KeptEntry>();

  follow(records: readonly LedgerRecord[]): void {
    for (const record of records) {
      if (record.kind === 'past') {
        if (isWrittenAhead(record.entry)) this.#entries.set(record.entry.id, record.entry);
      } else if (record.kind === 'end' || record.kind === 'restore') this.#entries.delete(record.id);
      // An earlier start may have been killed between the record of their removal and that of their end.
    }
  }

  /** Whether there are none so far. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Records the end of those that the index does not contain. If that fails, they are reported as records without an entry. */
  async end({ repository, storage }: LedgerReading): Promise<void> {
    const unknown = await repository.unknown([...this.#entries.keys()]);
    const entries = unknown.flatMap((id) => this.#entries.get(id) ?? []);
    if (entries.length > 0) await storage.purge(entries).catch(() => undefined);
  }
}

/**
 * Reads what a store has recorded since the last reading, with a transaction for each piece. A process that is killed meanwhile
 * loses nothing: each transaction stores the position to which it has come.
 */
async function readFurther(reading: LedgerReading, store: VirtualPath): Promise<LedgersRead> {
  const { repository, storage, now, signal, onUnrecorded } = reading;
  const since = await repository.ledgerPosition(store);
  let number = await repository.lastMove(store);
  const reader = new LedgerReader(repository, storage, now, number);
  const abandoned = new AbandonedRecords();
  let position = since;
  for await (const piece of inPieces(storage.ledger(store, { since, includesPast: true }))) {
    abandoned.follow(piece);
    const records = piece.filter(({ kind }) => kind !== 'past');
    await reportUnrecorded(repository, records, onUnrecorded);
    position = piece.at(-1)?.position;
    number = lastMoveIn(records, number);
    await repository.inBulk(async (all) => {
      await reader.apply(all, records);
      // Abandoned records are read again until their end is recorded.
      if (position !== undefined && reader.canContinueLater && abandoned.isEmpty)
        await all.setLedgerPosition(store, position, number);
    });
    // The next iteration would take some milliseconds again.
    await yieldToEventLoop();
    if (signal?.aborted === true) return reader.counts;
  }
  await abandoned.end(reading);
  if (position !== undefined && position !== since && !(reader.canContinueLater && abandoned.isEmpty))
    await repository.setLedgerPosition(store, position, number);
  return reader.counts;
}

async function reportUnrecorded(
  repository: TrashRepository,
  records: readonly LedgerRecord[],
  onUnrecorded: LedgerReading['onUnrecorded'],
): Promise<void> {
  if (onUnrecorded === undefined) return;
  const deletions = deletionsOf(records);
  const unknown = new Set(await repository.unknown(deletions.map(({ id }) => id)));
  if (unknown.size > 0) await onUnrecorded(deletions.filter(({ id }) => unknown.has(id)));
}

const total = (counts: readonly LedgersRead[]): LedgersRead => ({
  kept: counts.reduce((sum, { kept }) => sum + kept, 0),
  doomed: counts.reduce((sum, { doomed }) => sum + doomed, 0),
  ended: counts.reduce((sum, { ended }) => sum + ended, 0),
});

async function readStores(
  reading: LedgerReading,
  which: 'new' | 'known',
  read: (reading: LedgerReading, store: VirtualPath) => Promise<LedgersRead>,
): Promise<LedgersRead> {
  const { repository, storage, signal } = reading;
  const counts: LedgersRead[] = [];
  for (const { store } of await storage.stores({ isBrief: true })) {
    if (signal?.aborted === true) break;
    const isKnown =
      (await repository.ledgerPosition(store)) !== undefined || (await repository.hasEntriesOf(store));
    if (isKnown === (which === 'known')) counts.push(await read(reading, store));
  }
  return total(counts);
}

/** Adds to the index the stores of which it contains nothing. To be called while nothing is being deleted. */
export const readNewLedgers = (reading: LedgerReading): Promise<LedgersRead> =>
  readStores(reading, 'new', readWhole);

/**
 * Adds to the index what the stores that it knows have recorded since the last reading. Other work can use the database meanwhile, but
 * nothing may be deleted, and the index is incomplete.
 */
export const readFurtherRecords = (reading: LedgerReading): Promise<LedgersRead> =>
  readStores(reading, 'known', readFurther);

/** Adds to the index everything that the stores on the disks have recorded. To be called while nothing is being deleted. */
export async function readLedgers(
  repository: TrashRepository,
  storage: Storage,
  now: number,
): Promise<LedgersRead> {
  const reading = { repository, storage, now };
  // Stores that are new are read once: in the order of these calls.
  const further = await readFurtherRecords(reading);
  return total([further, await readNewLedgers(reading)]);
}
