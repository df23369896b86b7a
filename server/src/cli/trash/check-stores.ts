import type { KeepProblem } from '@filestead/contract/endpoints/storage';
import type { KeptEntry } from '../../storage/kept/kept-entries.ts';
import type { Storage } from '../../storage/storage.ts';
import { readLedgers } from '../../trash/read-ledgers.ts';
import { CliError, type CommandCall } from '../command.ts';
import { countOf, entriesText } from '../count-of.ts';
import { tableOf } from '../table.ts';
import { withLockedTrash, withTrash } from './open-trash-data.ts';

const problemTexts: Readonly<Record<KeepProblem, string>> = {
  disk_full: 'the disk is full',
  read_only: 'the disk is read-only',
  not_writable: 'the store cannot be written',
  foreign_owner: 'the folder of the store belongs to another user of the system',
  store_missing: 'the store no longer exists, or another entry has replaced its folder',
  unreadable: 'the store cannot be read',
};

/** `trash stores`: prints the stores with their sizes. */
export async function listStores(call: CommandCall): Promise<void> {
  await withTrash(call, async ({ storage }) => {
    const rows = (await storage.stores()).map((report) => [
      report.store,
      String(report.entries),
      String(report.fileBytes),
      String(report.free),
      report.problem === null
        ? report.foreign > 0
          ? 'also used by another installation'
          : ''
        : problemTexts[report.problem],
    ]);
    call.terminal.print(tableOf([['Store', 'Entries', 'Bytes of files', 'Free bytes', 'Note'], ...rows]));
  });
}

/** `trash check`: compares the stores with their records and with the index. Exit status 1 for differences. */
export async function checkTrash(call: CommandCall): Promise<void> {
  await withTrash(call, async ({ storage, database }) => {
    const findings: string[] = [];
    const recorded = new Set<string>();
    for (const report of await storage.stores()) {
      const { store, withoutRecord, withoutEntry, damaged, problem } = report;
      if (problem !== null) findings.push(`${store}: ${problemTexts[problem]}`);
      if (withoutRecord > 0) findings.push(`${store}: ${entriesText(withoutRecord)} without a record`);
      if (withoutEntry > 0)
        findings.push(`${store}: ${countOf(withoutEntry, 'record')} without an entry; use “trash rebuild”`);
      if (damaged > 0) findings.push(`${store}: skipped ${countOf(damaged, 'damaged record')}`);
      for await (const record of storage.ledger(store)) {
        if (record.kind === 'keep') recorded.add(record.entry.id);
      }
    }
    const missing = await database.trash.unknown([...recorded]);
    if (missing.length > 0)
      findings.push(`${entriesText(missing.length)} missing from the index; use “trash rebuild”`);
    const indexed = await database.trash.count({});
    call.terminal.print(`${entriesText(recorded.size)} in the stores, ${indexed} in the trash`);
    if (findings.length > 0) throw new CliError(findings.join('\n'));
  });
}

/** Ends the records of entries that another program has removed from their stores. */
async function endMissing(storage: Storage): Promise<void> {
  for (const { store } of await storage.stores({ isBrief: true })) {
    const missing = new Map<string, KeptEntry>();
    for await (const record of storage.ledger(store, { includesPast: true })) {
      if (record.kind === 'past') missing.set(record.entry.id, record.entry);
      else if (record.kind === 'end') missing.delete(record.id);
    }
    await storage.purge([...missing.values()]);
  }
}

/** `trash rebuild`: rebuilds the index from the stores. */
export async function rebuildTrash(call: CommandCall): Promise<void> {
  await withLockedTrash(call, async ({ storage, database }) => {
    await endMissing(storage);
    await database.transact(async ({ trash }) => {
      await trash.clear();
      const { kept, doomed } = await readLedgers(trash, storage, Date.now());
      call.terminal.print(`${entriesText(kept)} in the trash, ${doomed} of them to be removed.`);
    });
  });
}
