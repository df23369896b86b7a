import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { TrashRepository } from '../database/trash-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { LedgerRecord } from '../storage/kept/kept-entries.ts';
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

/** Applies consecutive records of the same kind. */
async function apply(
  repository: TrashRepository,
  storage: Storage,
  records: readonly LedgerRecord[],
  now: number,
): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  if (first.kind === 'keep') {
    const entries = records.flatMap((record) => (record.kind === 'keep' ? [record.entry] : []));
    for (const ignoresCase of [true, false]) {
      const group = entries.filter(({ place }) => storage.ignoresCaseAt(place) === ignoresCase);
      if (group.length > 0) await repository.add(group.map(storedOf), nameKeyFor(ignoresCase));
    }
    return;
  }
  const ids = records.flatMap((record) => (record.kind === 'keep' ? [] : [record.id]));
  if (first.kind === 'doom') await repository.hide(ids, now, null);
  else await repository.remove(ids);
}

async function readLedger(
  repository: TrashRepository,
  storage: Storage,
  store: VirtualPath,
  now: number,
): Promise<LedgersRead> {
  const counts: LedgersRead = { kept: 0, doomed: 0, ended: 0 };
  const since = await repository.ledgerPosition(store);
  let position = since;
  let records: LedgerRecord[] = [];
  const flush = async (): Promise<void> => {
    await apply(repository, storage, records, now);
    records = [];
    if (isYieldDue()) await yieldToEventLoop();
  };
  for await (const record of storage.ledger(store, since)) {
    if (records.length >= recordsAtOnce || (records[0] !== undefined && records[0].kind !== record.kind)) {
      await flush();
    }
    records.push(record);
    position = record.position;
    if (record.kind === 'keep') counts.kept += 1;
    else if (record.kind === 'doom') counts.doomed += 1;
    else counts.ended += 1;
  }
  await flush();
  if (position !== undefined && position !== since) await repository.setLedgerPosition(store, position);
  return counts;
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
    const counts = await readLedger(repository, storage, store, now);
    total.kept += counts.kept;
    total.doomed += counts.doomed;
    total.ended += counts.ended;
  }
  return total;
}
