import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { restoreByCommand } from '../../trash/restore-by-command.ts';
import type { CommandCall } from '../command.ts';
import { isServerRunning } from '../open-data.ts';
import { openTrashIndex, withLockedTrash, withTrash } from './open-trash-data.ts';
import { printRestored, requestRestorations } from './request-restorations.ts';

/** `trash restore`: restores entries to their place, or into a folder. A running server does it. */
export async function restoreTrash(call: CommandCall): Promise<void> {
  const to = call.options.text('to');
  const folder = to === undefined ? null : virtualPath(to);
  await withTrash(call, async (data) => {
    if (isServerRunning(data.config)) return requestRestorations(call, data, folder);
    return withLockedTrash(call, async (locked) => {
      const { database, storage } = locked;
      const parts = { repository: database.trash, index: openTrashIndex(locked), storage };
      for (const id of call.words) printRestored(call, id, await restoreByCommand(parts, id, folder));
    });
  });
}
