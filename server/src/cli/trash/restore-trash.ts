import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { restoreByCommand } from '../../trash/restore-by-command.ts';
import { TrashIndex } from '../../trash/trash-index.ts';
import type { CommandCall } from '../command.ts';
import { isServerRunning, withLockedTrash, withTrash } from './open-trash-data.ts';
import { printRestored, requestRestorations } from './request-restorations.ts';

const silentLog = { error: () => undefined };

/** `trash restore`: restores entries to their place, or into a folder. A running server does it. */
export async function restoreTrash(call: CommandCall): Promise<void> {
  const to = call.options.text('to');
  const folder = to === undefined ? null : virtualPath(to);
  await withTrash(call, async (data) => {
    if (isServerRunning(data.config)) return requestRestorations(call, data, folder);
    return withLockedTrash(call, async ({ database, storage }) => {
      const { trash: repository, shares } = database;
      const index = new TrashIndex({ repository, shares, storage, now: Date.now, log: silentLog });
      for (const id of call.words)
        printRestored(call, id, await restoreByCommand({ repository, index, storage }, id, folder));
    });
  });
}
