import type { FastifyInstance } from 'fastify';
import { assertCreatable } from '../../files/assert-creatable.ts';
import { route } from '../../http/server/route.ts';
import { FolderUploads } from '../../uploads/folder-uploads.ts';
import { registerUploads } from '../../uploads/routes.ts';
import type { AppParts } from './create-app.ts';
import type { Services } from './open-services.ts';

/** Registers the resumable uploads. Resolves to the folder uploads. */
export async function registerResumableUploads(
  app: FastifyInstance,
  { database, storage, clock, config }: AppParts,
  { events, operations, space, userContexts }: Services,
): Promise<FolderUploads> {
  const folderUploads = await FolderUploads.open({
    repository: database.folderUploads,
    userContexts,
    limits: config,
    clock,
    log: app.log,
  });
  await registerUploads(app, {
    route,
    repository: database.uploads,
    folders: folderUploads,
    userContexts,
    events,
    operations,
    space,
    limits: config,
    clock,
    baseUrl: config.baseUrl,
    assertCreatable,
    discard: (path, part) => storage.partial(path, part).discard(),
    measure: (path, part) => storage.partial(path, part).size(),
  });
  return folderUploads;
}
