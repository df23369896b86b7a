import {
  childOf,
  nameOf,
  parentOf,
  virtualPath,
  type VirtualPath,
  withNumberSuffix,
} from '@filestead/contract/paths/virtual-path';
import type { PlacedKept } from '../../database/trash-repository.ts';
import { isAppError } from '../../errors.ts';
import { keptEntryOf } from '../../access/keeping/kept-entry.ts';
import { TrashIndex } from '../../trash/trash-index.ts';
import { CliError, type CommandCall } from '../command.ts';
import { type TrashData, withLockedTrash } from './open-trash-data.ts';

/** The highest suffix that is tried for a free name. */
const maxSuffix = 10_000;
const silentLog = { error: () => undefined };

async function restore({ storage }: TrashData, kept: PlacedKept, folder: VirtualPath): Promise<VirtualPath> {
  const name = nameOf(kept.place);
  for (let number = 0; number <= maxSuffix; number++) {
    const to = childOf(folder, number === 0 ? name : withNumberSuffix(name, number));
    try {
      await storage.restore(keptEntryOf(kept), to, { conflict: 'fail', createParents: true });
      return to;
    } catch (error) {
      if (!isAppError(error, 'already_exists')) throw error;
    }
  }
  throw new CliError(`${kept.id}: no free name in ${folder}`);
}

/** `trash restore`: restores entries to their place, or into a folder. */
export async function restoreTrash(call: CommandCall): Promise<void> {
  const to = call.options.text('to');
  const folder = to === undefined ? null : virtualPath(to);
  await withLockedTrash(call, async (data) => {
    const { trash: repository, shares } = data.database;
    const index = new TrashIndex({
      repository,
      shares,
      storage: data.storage,
      now: Date.now,
      log: silentLog,
    });
    for (const id of call.words) {
      const kept = await repository.find(id);
      if (kept === null) throw new CliError(`not in the trash: ${id}`);
      const path = await restore(data, kept, folder ?? parentOf(kept.place));
      await index.restored(kept, path, () => true);
      call.terminal.print(`${id}  ${JSON.stringify(path).slice(1, -1)}`);
    }
  });
}
