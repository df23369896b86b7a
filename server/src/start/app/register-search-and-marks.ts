import type { FastifyInstance } from 'fastify';
import { followChanges } from '../../catalogue/follow-changes.ts';
import { route } from '../../http/server/route.ts';
import { registerMarks } from '../../marks/routes.ts';
import { registerContents } from '../../search/contents-routes.ts';
import { registerFind } from '../../search/find-routes.ts';
import { registerSearch } from '../../search/routes.ts';
import { registerSpace } from '../../space/routes.ts';
import type { AppParts } from './create-app.ts';
import { entryViews } from './file-views.ts';
import type { Services } from './open-services.ts';

/** Registers the features that find entries: search in names and contents, used space, and marks. */
export function registerSearchAndMarks(
  app: FastifyInstance,
  { database, clock, config, logger }: AppParts,
  { catalogue, contents, events, marks, settings }: Services,
): void {
  registerSearch(app, { route, format: config.searchFormat, clock });
  app.addHook('preHandler', async ({ opened, audit }) => {
    if (opened?.authContext != null && audit.endpoint?.isAutomatic !== true) {
      catalogue.recordActivity();
      contents.recordActivity();
    }
  });
  app.addHook('onClose', async () => {
    // The search in contents uses the catalogue.
    await contents.close();
    await catalogue.close();
  });
  followChanges(events, {
    catalogue,
    clock,
    onFailure: (error) => logger.debug({ err: error }, 'the catalogue could not follow a change'),
  });
  const targetOptions = { catalogue, globalRules: () => settings.current.rules };
  registerFind(app, {
    route,
    ...targetOptions,
    clock,
    marksOf: marks.byPlace,
    recentsOf: marks.recentPaths,
    views: entryViews,
  });
  registerContents(app, {
    route,
    ...targetOptions,
    contents,
    clock,
    marksOf: marks.byPlace,
    views: entryViews,
  });
  registerSpace(app, { route, ...targetOptions });
  registerMarks(app, {
    route,
    marks,
    repository: database.marks,
    clock,
    views: entryViews,
  });
}
