import * as endpoints from '@filestead/contract/endpoints/folder-uploads';
import { expiringSoonMs } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Route } from '../http/server/route.ts';
import { absolutePath } from './absolute-path.ts';
import type { FolderUploads, FolderUploadState } from './folder-uploads.ts';
import type { UploadRegistry } from './upload-registry.ts';

/** The dependencies of {@link registerFolderUploads}. */
interface FolderUploadParts {
  readonly route: Route;
  readonly folders: FolderUploads;
  readonly registry: UploadRegistry;
  readonly clock: Clock;
}

/** Registers the endpoints of folder uploads. */
export function registerFolderUploads(
  app: FastifyInstance,
  { route, folders, registry, clock }: FolderUploadParts,
): void {
  const presentFolder = ({
    record,
    arrivedFiles,
    arrivedBytes,
  }: FolderUploadState): endpoints.FolderUpload => ({
    id: record.id,
    path: record.path,
    name: record.name,
    files: record.files,
    bytes: record.bytes,
    arrivedFiles,
    arrivedBytes,
    began: record.beganAt,
    lastUsed: record.usedAt,
    expires: record.expiresAt,
    expiresSoon: record.expiresAt - clock.now() < expiringSoonMs,
  });

  route(app, endpoints.createFolderUpload, async ({ userContext, body }) =>
    presentFolder(await folders.create(userContext, { ...body, path: absolutePath(body.path).path })),
  );

  route(app, endpoints.listFolderUploads, async ({ userContext }) =>
    (await folders.listOf(userContext)).map(presentFolder),
  );

  route(app, endpoints.listArrivedFiles, async ({ userContext, params, query }) =>
    (await folders.filesOf(userContext, params.id, query.after ?? '')).map(
      ({ file, sizeBytes, modifiedMs }) => ({ file, size: sizeBytes, modified: modifiedMs }),
    ),
  );

  route(app, endpoints.discardFolderUpload, async ({ userContext, params, reply }) => {
    await folders.discard(userContext, params.id);
    for (const upload of registry.inFolder(userContext, params.id)) await registry.drop(upload);
    await reply.code(204).send();
    return undefined;
  });
}
