import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/server/route.ts';
import { registerFolderUploads } from './folder-upload-routes.ts';
import type { FolderUploads } from './folder-uploads.ts';
import { registerTus } from './tus-routes.ts';
import { registerUnfinishedUploads } from './unfinished-routes.ts';
import { openUploads, type UploadParts } from './uploads.ts';
import { registerUserUploads } from './user-upload-routes.ts';

/** Registers the endpoints of resumable uploads. */
export async function registerUploads(
  app: FastifyInstance,
  {
    route,
    baseUrl,
    folders,
    ...parts
  }: Omit<UploadParts, 'log' | 'folderUploads'> & { route: Route; baseUrl: string; folders: FolderUploads },
): Promise<void> {
  const { clock, events, userContexts } = parts;
  events.subscribe({
    after: (change) => (change.event === 'rename' ? folders.follow(change) : undefined),
  });
  const uploads = await openUploads({ ...parts, folderUploads: folders, log: app.log });
  const { registry } = uploads;
  app.addHook('onClose', () => registry.close());
  app.addHook('onClose', () => folders.close());
  registerTus(app, { route, uploads, baseUrl });
  registerUnfinishedUploads(app, { route, uploads, clock });
  registerUserUploads(app, { route, registry, userContexts, clock });
  registerFolderUploads(app, { route, folders, registry, clock });
}
