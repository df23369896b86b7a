import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { TrashIndex } from '../../trash/trash-index.ts';
import { restoreVersionByCommand } from '../../versions/restore-by-command.ts';
import { CliError, type CommandCall } from '../command.ts';
import { isServerRunning, withLockedTrash, withTrash } from '../trash/open-trash-data.ts';
import { printRestored, requestRestorations } from '../trash/request-restorations.ts';

const silentLog = { error: () => undefined };

/** `versions restore`: replaces a file with one of its versions, or writes the version to a new path. A running server does it. */
export async function restoreVersion(call: CommandCall): Promise<void> {
  const [id = ''] = call.words;
  const to = call.options.text('to');
  if (to !== undefined && !to.startsWith('/')) throw new CliError('--to: must begin with a slash');
  const path = to === undefined ? null : virtualPath(to);
  await withTrash(call, async (data) => {
    if (isServerRunning(data.config)) return requestRestorations(call, data, path);
    return withLockedTrash(call, async ({ config: { keepsDeleted }, database, storage }) => {
      const { trash: repository, shares, versions } = database;
      const index = new TrashIndex({ repository, shares, storage, now: Date.now, log: silentLog });
      const record = (entries: Parameters<TrashIndex['record']>[0]): Promise<void> => index.record(entries);
      const parts = { repository: versions, record, storage, keepsDeleted, now: Date.now };
      printRestored(call, id, await restoreVersionByCommand(parts, id, path));
    });
  });
}
