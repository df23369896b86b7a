import { readLedgers } from '../../trash/read-ledgers.ts';
import { CliError, type CommandCall } from '../command.ts';
import { tableOf } from '../table.ts';
import { withLockedTrash, withTrash } from './open-trash-data.ts';

/** `trash stores`: prints the stores with their sizes. */
export async function listStores(call: CommandCall): Promise<void> {
  await withTrash(call, async ({ storage }) => {
    const rows = (await storage.stores()).map((report) => [
      report.store,
      String(report.entries),
      String(report.fileBytes),
      String(report.free),
      report.problem ?? (report.foreign > 0 ? 'also used by another installation' : ''),
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
      if (problem !== null) findings.push(`${store}: ${problem}`);
      if (withoutRecord > 0) findings.push(`${store}: ${withoutRecord} entries without a record`);
      if (withoutEntry > 0) findings.push(`${store}: ${withoutEntry} records without an entry`);
      if (damaged > 0) findings.push(`${store}: ${damaged} damaged records, which are skipped`);
      for await (const record of storage.ledger(store)) {
        if (record.kind === 'keep') recorded.add(record.entry.id);
      }
    }
    const missing = await database.trash.unknown([...recorded]);
    if (missing.length > 0)
      findings.push(`${missing.length} entries are not in the index; use “trash rebuild”`);
    const indexed = await database.trash.count({});
    call.terminal.print(`${recorded.size} entries in the stores, ${indexed} in the trash`);
    if (findings.length > 0) throw new CliError(findings.join('\n'));
  });
}

/** `trash rebuild`: rebuilds the index from the stores. */
export async function rebuildTrash(call: CommandCall): Promise<void> {
  await withLockedTrash(call, async ({ storage, database }) => {
    await database.transact(async ({ trash }) => {
      await trash.clear();
      const { kept, doomed } = await readLedgers(trash, storage, Date.now());
      call.terminal.print(`${kept} entries are in the trash; ${doomed} of them are being removed.`);
    });
  });
}
