import type { FastifyInstance } from 'fastify';
import { assertCreatable } from '../../files/assert-creatable.ts';
import { registerHistory } from '../../history/routes.ts';
import { route } from '../../http/server/route.ts';
import { type RunningJobs, startAuditedJob } from '../../jobs/routes.ts';
import { registerStorage } from '../../retention/routes.ts';
import { registerTrash } from '../../trash/routes.ts';
import { registerVersions } from '../../versions/routes.ts';
import type { AppParts } from './create-app.ts';
import { entryViews, type FileViews } from './file-views.ts';
import type { Services } from './open-services.ts';

/** Registers the features of kept entries: the trash, versions, the history, and the space that they use. */
export function registerKeptEntries(
  app: FastifyInstance,
  { database, storage, clock, config }: AppParts,
  { events, history, operations, settings, space, spaceKeeper, trash, userContexts, versions }: Services,
  {
    views: { sendRaw, previews, presentResource },
    jobs,
  }: { readonly views: FileViews; readonly jobs: RunningJobs },
): void {
  registerTrash(app, {
    route,
    trash,
    repository: database.trash,
    userContexts,
    events,
    wasCreatedByRestoration: (place) => history.wasCreatedByRestoration(place),
    operations,
    clock,
    trashDays: () => settings.current.trashDays,
    purgeDelayMs: config.purgeDelayMs,
    views: {
      ...entryViews,
      presentResource,
      sendRaw,
      sendPreview: previews.send,
      startJob: (userContext, job, request) => startAuditedJob(jobs, userContext, job, request),
    },
  });
  registerVersions(app, {
    route,
    versions,
    repository: database.versions,
    events,
    operations,
    space,
    storage,
    userContexts,
    assertCreatable,
    log: app.log,
    purge: (userContext, id) => trash.purge(userContext, id),
    views: { ...entryViews, sendRaw, sendPreview: previews.send },
  });
  registerHistory(app, {
    route,
    history,
    repository: database.operations,
    userContexts,
    operations,
    clock,
    findUser: async (username) => (await database.users.findByName(username))?.id ?? null,
    startJob: (userContext, job, request) => startAuditedJob(jobs, userContext, job, request),
  });
  registerStorage(app, {
    route,
    spaceKeeper,
    repository: database.retention,
    storage,
    usersById: async () => new Map((await database.users.list()).map(({ id, username }) => [id, username])),
    settings,
    options: config,
    retention: trash.retention,
    clock,
  });
}
