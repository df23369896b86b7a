import { randomBytes } from 'node:crypto';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { keptEntryOf } from '../../access/keeping/kept-entry.ts';
import { isAppError } from '../../errors.ts';
import type { KeptEntry } from '../../storage/kept/kept-entries.ts';
import { TrashIndex } from '../../trash/trash-index.ts';
import { CliError, type CommandCall } from '../command.ts';
import { withLockedTrash } from '../trash/open-trash-data.ts';

const silentLog = { error: () => undefined };

/** `versions restore`: replaces a file by one of its versions, or writes the version to a new path. */
export async function restoreVersion(call: CommandCall): Promise<void> {
  const [id = ''] = call.words;
  const to = call.options.text('to');
  if (to !== undefined && !to.startsWith('/')) throw new CliError('--to: must begin with a slash');
  await withLockedTrash(call, async ({ config, database, storage }) => {
    const version = await database.versions.find(id);
    if (version === null) throw new CliError(`there is no version: ${id}`);
    const path = to === undefined ? version.place : virtualPath(to);
    const replaced: KeptEntry[] = [];
    const cause = { operation: randomBytes(16).toString('base64url'), userId: null, session: null } as const;
    try {
      await storage.restore(keptEntryOf(version), path, {
        conflict: to === undefined ? 'replace' : 'fail',
        createParents: true,
        keep: config.keepsDeleted ? { ...cause, act: 'restore', time: Date.now() } : null,
        onKept: (entries) => replaced.push(...entries),
      });
    } catch (error) {
      if (isAppError(error, 'already_exists')) throw new CliError(`${path}: exists already`);
      if (isAppError(error, 'not_found')) throw new CliError(`${id}: is not in its store any more`);
      throw error;
    }
    const { trash: repository, shares, versions } = database;
    await new TrashIndex({ repository, shares, storage, now: Date.now, log: silentLog }).record(replaced);
    await versions.remove(id);
    call.terminal.print(`${id}  ${JSON.stringify(path).slice(1, -1)}`);
  });
}
