import { systemClock } from '../../clock.ts';
import { PurgeWorker } from '../../trash/purge.ts';
import { CliError, type CommandCall } from '../command.ts';
import { entriesText } from '../count-of.ts';
import { entryTable, selectedEntries } from './list-trash.ts';
import { isServerRunning } from '../open-data.ts';
import { type TrashData, withLockedTrash, withTrash } from './open-trash-data.ts';

/** Writes no log; the command prints its result. */
const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** @param isAlone whether no server uses the data, so that the entries are removed now */
async function purge(call: CommandCall, data: TrashData, isAlone: boolean): Promise<void> {
  const { database, storage } = data;
  const { options, terminal, words } = call;
  const isSelected = options.names.some((name) => ['below', 'user', 'olderThan', 'all'].includes(name));
  if (words.length === 0 && !isSelected) {
    throw new CliError('name the ids to delete forever, or use --all, --below, --user or --olderThan');
  }
  const olderThan = options.text('olderThan');
  const before = olderThan === undefined ? Infinity : Date.parse(olderThan);
  if (Number.isNaN(before)) throw new CliError('--olderThan: expected a time such as 2026-11-01');
  const candidates = await selectedEntries(call, data);
  const chosen = candidates.filter(
    ({ id, keptAt }) => (words.length === 0 || words.includes(id)) && keptAt < before,
  );
  const unknown = words.filter((word) => !chosen.some(({ id }) => id === word));
  if (unknown.length > 0) throw new CliError(`not in the trash: ${unknown.join(', ')}`);
  if (options.isOn('yes') !== true) {
    terminal.print(await entryTable(chosen, data));
    terminal.warn(`${entriesText(chosen.length)} would be deleted forever; add --yes to do it`);
    return;
  }
  const now = Date.now();
  const ids = await database.trash.hide(
    chosen.map(({ id }) => id),
    now + data.config.purgeDelayMs,
    null,
  );
  if (data.config.purgeDelayMs > 0 || !isAlone) {
    terminal.print(`Deleted forever: ${entriesText(ids.length)}. The server frees the space on the disk.`);
    return;
  }
  const worker = new PurgeWorker({ repository: database.trash, storage, clock: systemClock, log: silentLog });
  await worker.run();
  await worker.close();
  const left = await database.trash.findAll(ids);
  terminal.print(`Removed from the disk: ${entriesText(ids.length - left.length)}.`);
  if (left.length > 0)
    throw new CliError(`${entriesText(left.length)} could not be removed; the next sweep tries again`);
}

/** `trash purge`: deletes entries forever; prints what it would do without `--yes`. */
export async function purgeTrash(call: CommandCall): Promise<void> {
  const isDry = call.options.isOn('yes') !== true;
  await withTrash(call, async (data) => {
    if (isDry || isServerRunning(data.config)) await purge(call, data, false);
    else await withLockedTrash(call, (locked) => purge(call, locked, true));
  });
}
