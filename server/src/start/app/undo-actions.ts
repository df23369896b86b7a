import type { FastifyBaseLogger } from 'fastify';
import type { FileEvents } from '../../access/file-events.ts';
import type { UploadSpace } from '../../access/upload-space.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { assertCreatable } from '../../files/assert-creatable.ts';
import { createFolder } from '../../files/create-folder.ts';
import { type ClaimedNames, moveEntry } from '../../files/move-entry.ts';
import { restoreKept } from '../../history/restore-kept.ts';
import type { UndoActions } from '../../history/undo-step.ts';
import type { RestoreOne } from '../../jobs/job-dependencies.ts';
import type { Storage } from '../../storage/storage.ts';
import { restoreVersion } from '../../versions/restore-version.ts';
import type { Versions } from '../../versions/versions.ts';

/** The parts of the server that undo steps. */
export interface UndoActionParts {
  readonly database: Pick<Database, 'versions' | 'trash'>;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly events: FileEvents;
  readonly space: UploadSpace;
  readonly claimed: ClaimedNames;
  readonly versions: Versions;
  readonly restoreDeleted: RestoreOne;
  readonly undoShare: UndoActions['undoShare'];
  /** Returns Unix milliseconds. */
  readonly now: () => number;
  readonly log: FastifyBaseLogger;
}

/** Returns the actions of the features with which the history undoes steps. */
export const undoActions = ({
  database,
  storage,
  events,
  space,
  claimed,
  versions,
  restoreDeleted,
  undoShare,
  now,
  log,
}: UndoActionParts): UndoActions => ({
  move: (from, { isSameEntry, beforeChange, ...move }) =>
    moveEntry(from, {
      ...move,
      beforeChange,
      action: 'rename',
      isFromFolderPath: false,
      overwrite: isSameEntry,
      picksFreeName: !isSameEntry,
      claimed,
    }),
  remove: (from, path, removal) => from.remove(path, removal),
  createFolder,
  restoreItem: async (operation, id, signal) =>
    (await restoreDeleted(operation, id, { to: null, conflict: 'rename', signal })).path,
  restoreVersion: (operation, kept, target) =>
    versions.restoring(kept.id, async () => {
      // It may have been restored or deleted meanwhile.
      const [present] = await database.trash.findAll([kept.id]);
      if (present?.purgeAt !== null) throw new AppError('not_found');
      const version = await database.versions.find(kept.id);
      const isAnnotated = version !== null && (version.label !== null || version.keepsForever);
      if (!isAnnotated || !target.replaces) {
        const removeFromIndex = (id: string): Promise<void> => database.versions.remove(id);
        return restoreKept({ events, removeFromIndex }, operation, kept, target);
      }
      // An annotated version stays in the list.
      const view = await versions.viewOf(operation.userContext);
      await target.beforeChange();
      const restoring = {
        repository: database.versions,
        events,
        space,
        storage,
        assertCreatable,
        log,
      };
      const { signal } = target;
      await restoreVersion(restoring, { view, operation, signal }, await view.find(kept.id));
    }),
  undoShare,
  async cancelPurge(id, userId) {
    const shown = await database.trash.unhide([id], userId, now());
    if (shown.length === 0) throw new AppError('not_found');
  },
});
