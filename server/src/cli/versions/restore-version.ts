import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { restoreVersionByCommand, type VersionRestoration } from '../../versions/restore-by-command.ts';
import { CliError, type CommandCall } from '../command.ts';
import { isServerRunning } from '../open-data.ts';
import { openTrashIndex, withLockedTrash, withTrash } from '../trash/open-trash-data.ts';
import { printRestored, requestRestorations } from '../trash/request-restorations.ts';

/** `versions restore`: replaces a file with one of its versions, or writes the version to a new path. A running server does it. */
export async function restoreVersion(call: CommandCall): Promise<void> {
  const [id = ''] = call.words;
  const to = call.options.text('to');
  if (to !== undefined && !to.startsWith('/')) throw new CliError('--to: must begin with a slash');
  const path = to === undefined ? null : virtualPath(to);
  await withTrash(call, async (data) => {
    if (isServerRunning(data.config)) return requestRestorations(call, data, path);
    return withLockedTrash(call, async (locked) => {
      const { config, database, storage } = locked;
      const index = openTrashIndex(locked);
      const parts: VersionRestoration = {
        repository: database.versions,
        record: (entries) => index.record(entries),
        storage,
        keepsDeleted: config.keepsDeleted,
        now: Date.now,
      };
      printRestored(call, id, await restoreVersionByCommand(parts, id, path));
    });
  });
}
