import type { FastifyInstance } from 'fastify';
import type { ArchiveReader } from '../../archives/reading/open-archive.ts';
import { openArchiveOperations } from '../../archives/archive-operations.ts';
import { assertCreatable } from '../../files/assert-creatable.ts';
import { deleteEntry } from '../../files/delete-entry.ts';
import { type ClaimedNames, moveEntry } from '../../files/move-entry.ts';
import { route } from '../../http/server/route.ts';
import type { RestoreOne } from '../../jobs/job-dependencies.ts';
import { registerJobs, type RunningJobs } from '../../jobs/routes.ts';
import { undoShareChange } from '../../shares/share-change.ts';
import { restoreItem } from '../../trash/restore-item.ts';
import type { AppParts } from './create-app.ts';
import { entryViews } from './file-views.ts';
import type { Services } from './open-services.ts';
import { undoActions } from './undo-actions.ts';

/** Registers the jobs, and gives the history the actions with which it undoes changes. */
export async function registerJobsAndUndo(
  app: FastifyInstance,
  { database, storage, clock, config }: AppParts,
  services: Services,
  { claimed, archiveReader }: { readonly claimed: ClaimedNames; readonly archiveReader: ArchiveReader },
): Promise<RunningJobs> {
  const { events, history, operations, shareSync, space, trash, userContexts, versions } = services;
  const restoreDeleted: RestoreOne = async (operation, id, target) =>
    restoreItem(
      {
        repository: database.trash,
        index: trash.index,
        events,
        wasCreatedByRestoration: (place) => history.wasCreatedByRestoration(place),
        log: app.log,
      },
      await trash.viewOf(operation.userContext),
      operation,
      id,
      { resumesLinks: true, ...target },
    );
  history.setActions(
    undoActions({
      database,
      storage,
      events,
      space,
      claimed,
      versions,
      restoreDeleted,
      async undoShare(userContext, step, options) {
        const maxPerUser = config.maxSharesPerUser;
        const shareParts = { shares: database.shares, userContexts, maxPerUser, now: clock.now };
        const change = await undoShareChange(shareParts, userContext, step, options);
        // A former password ends downloads of visitors who do not know it.
        if (!options.isCheck) app.runningRequests.permissionsChanged();
        return change;
      },
      now: clock.now,
      log: app.log,
    }),
  );
  return registerJobs(app, {
    route,
    repository: database.jobs,
    views: entryViews,
    discard: (path, name) => storage.partial(path, { name, mode: 'create' }).discard(),
    userContexts,
    events,
    clock,
    limits: config,
    archives: openArchiveOperations({
      reader: archiveReader,
      root: storage,
      assertCreatable,
      now: clock.now,
    }),
    operations: {
      transfer: (from, transfer) => moveEntry(from, { ...transfer, claimed }),
      remove: deleteEntry,
    },
    beginOperation: operations.begin,
    keepsDeletedAt: operations.keepsDeletedAt,
    async recoverDeletions(operation, since) {
      await trash.index.flush();
      const deleted = await database.trash.deletedBy(operation.id, since);
      await history.logDeleted(operation, deleted);
      return deleted;
    },
    onOperation: history.running,
    storeChanges: async () => {
      await trash.index.flush();
      await shareSync.flush();
    },
    undo: async (operation, step, signal) => (await history.undo(operation, step, signal)).path,
    restore: restoreDeleted,
  });
}
