import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { NameKey, TrashRepository } from '../database/trash-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { KeptEntry, LedgerRecord } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { nameKeyFor, storedOf } from '../access/keeping/kept-entry.ts';

/** Records per transaction. */
const recordsAtOnce = 500;

/** The number of records that {@link readLedgers} applied. */
export interface LedgersRead {
  /** Entries that are in the stores. */
  kept: number;
  /** Entries whose removal has been decided. */
  doomed: number;
  /** Entries that are not in the stores any more. */
  ended: number;
}

/** Applies the records of one store to the index, in their order. */
class LedgerReader {
  readonly #repository: TrashRepository;
  readonly #storage: Storage;
  readonly #now: number;
  /** The number of the last move that the index has followed. */
  readonly #lastMove: number;
  readonly counts: LedgersRead = { kept: 0, doomed: 0, ended: 0 };
  #records: LedgerRecord[] = [];
  /** Restorations whose end has not been read, by the id of the entry. */
  readonly #restoring = new Map<string, VirtualPath>();
  /** Entries that are not in the store any more, and whose end has not been read. */
  readonly #past = new Set<string>();

  constructor(repository: TrashRepository, storage: Storage, now: number, lastMove: number) {
    this.#repository = repository;
    this.#storage = storage;
    this.#now = now;
    this.#lastMove = lastMove;
  }

  /** Adds a record. Consecutive records of one kind are applied together. */
  async add(record: LedgerRecord): Promise<void> {
    const kindOf = ({ kind }: LedgerRecord): string => (kind === 'past' ? 'keep' : kind);
    const [first] = this.#records;
    if (first !== undefined && (this.#records.length >= recordsAtOnce || kindOf(first) !== kindOf(record)))
      await this.flush();
    this.#records.push(record);
    if (record.kind === 'keep') this.counts.kept += 1;
    else if (record.kind === 'doom') this.counts.doomed += 1;
    else if (record.kind === 'end') this.counts.ended += 1;
  }

  /** Applies the records that are waiting. */
  async flush(): Promise<void> {
    const records = this.#records;
    this.#records = [];
    const [first] = records;
    if (first?.kind === 'keep' || first?.kind === 'past') await this.#addEntries(records);
    else if (first?.kind === 'doom') await this.#hide(records);
    else if (first?.kind === 'end') await this.#end(records);
    else for (const record of records) await this.#applyOne(record);
    if (isYieldDue()) await yieldToEventLoop();
  }

  /** Applies all records, and removes entries that are not in the store although their end is not recorded. */
  async end(): Promise<void> {
    await this.flush();
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

/** @param isNew whether the index contains nothing of the store, so that its whole history is read */
async function readLedger(
  repository: TrashRepository,
  storage: Storage,
  { store, now, isNew }: { store: VirtualPath; now: number; isNew: boolean },
): Promise<LedgersRead> {
  const since = await repository.ledgerPosition(store);
  const lastMove = isNew ? 0 : await repository.lastMove(store);
  const reader = new LedgerReader(repository, storage, now, lastMove);
  let position = since;
  let number = lastMove;
  for await (const record of storage.ledger(store, { since, includesPast: isNew })) {
    await reader.add(record);
    position = record.position;
    if (record.kind === 'move') number = Math.max(number, record.number);
  }
  await reader.end();
  if (position !== undefined && (position !== since || number > lastMove))
    await repository.setLedgerPosition(store, position, number);
  return reader.counts;
}

/**
 * Adds to the index what the stores on the disks have recorded since the last start. To be called while nothing is being
 * deleted.
 */
export async function readLedgers(
  repository: TrashRepository,
  storage: Storage,
  now: number,
): Promise<LedgersRead> {
  const total: LedgersRead = { kept: 0, doomed: 0, ended: 0 };
  for (const { store } of await storage.stores({ isBrief: true })) {
    const isKnown =
      (await repository.ledgerPosition(store)) !== undefined || (await repository.hasEntriesOf(store));
    const counts = isKnown
      ? await repository.inBulk((all) => readLedger(all, storage, { store, now, isNew: false }))
      : await repository.inOwnTree((own) => readLedger(own, storage, { store, now, isNew: true }));
    total.kept += counts.kept;
    total.doomed += counts.doomed;
    total.ended += counts.ended;
  }
  return total;
}
