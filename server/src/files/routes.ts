import * as endpoints from '@filestead/contract/files';
import {
  type RequestedPath,
  type VirtualPath,
  encodePath,
  isAtOrBelow,
  relativeTo,
  virtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance } from 'fastify';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import type { KeptSpaceMeter } from '../access/keeping/kept-space-meter.ts';
import { type Operation, operationHeader, type Operations } from '../access/operation.ts';
import type { FolderUploadRecorder } from '../access/folder-upload-recorder.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError, isAppError } from '../errors.ts';
import type { ContentViews, SaveContent, WithVersion } from '../http/files/content-views.ts';
import { entityTagOf } from '../http/files/entity-tag.ts';
import { announcedLength } from '../http/request/request-body.ts';
import type { Route } from '../http/server/route.ts';
import { registerBatches } from './batch-routes.ts';
import { createFolder } from './create-folder.ts';
import { deleteEntry } from './delete-entry.ts';
import { type ListBelow, sendListBelow } from './listing/list-below.ts';
import { type ClaimedNames, moveEntry, parseDestination } from './move-entry.ts';
import { presentResource } from './listing/present-resource.ts';
import { readUsage } from './read-usage.ts';
import { sendSubtitles } from './subtitles/send-subtitles.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import { walkLimits } from '../scheduling/walk-limits.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { storeUpload } from './store-upload.ts';

/** The prefix below which newer clients request a recursive listing (docs/reference/filebrowser-api.md §6.4). */
const belowPrefix = virtualPath('/recursive');

/**
 * Returns the folder of which a newer client requests a recursive listing; null if `requested` is an ordinary path, or
 * an entry with that name exists.
 */
async function recursiveFolder(storage: Storage, requested: RequestedPath): Promise<VirtualPath | null> {
  const { path, isFolderPath } = requested;
  if (!isAtOrBelow(path, belowPrefix) || (path === belowPrefix && !isFolderPath)) return null;
  return (await storage.stat(belowPrefix)) === null ? relativeTo(path, belowPrefix) : null;
}

/** The parts of the server that the routes of files use. */
interface FileRouteOptions {
  readonly route: Route;
  readonly events: FileEvents;
  readonly space: UploadSpace;
  readonly claimed: ClaimedNames;
  readonly operations: Operations;
  /** Called after a request has created a folder that did not exist. */
  readonly onFolderCreated: (operation: Operation, storage: Storage, path: VirtualPath) => Promise<void>;
  readonly saveContent: SaveContent;
  readonly keeping: KeptSpaceMeter;
  readonly folderUploads: FolderUploadRecorder;
  readonly sendRaw: ContentViews['sendRaw'];
  readonly withVersion: WithVersion;
  /** Returns the version of a listing that begins now. */
  readonly listingVersion: () => string;
  /** Called with the names of a folder that is listed. */
  readonly onListing: (names: readonly string[]) => void;
  /** Returns the name that the root of a user's scope has in the name of an archive. */
  readonly rootNameOf: (userContext: UserContext) => string;
}

/** Registers listing, reading, writing, moving and deleting of files. */
export function registerFiles(app: FastifyInstance, options: FileRouteOptions): void {
  registerListing(app, options);
  registerReading(app, options);
  registerWriting(app, options);
  registerBatches(app, options);
  registerMoving(app, options);
}

/** Registers the endpoints of an entry's metadata, listings and recursive listings. */
function registerListing(app: FastifyInstance, { route, onListing, listingVersion }: FileRouteOptions): void {
  const walks = openFairQueue(walkLimits);

  const sendBelow = (userContext: UserContext, list: ListBelow): Promise<void> =>
    walks.run(userParty(userContext.user.id), () => sendListBelow(list), list.signal);

  route(app, endpoints.getResource, async ({ userContext, requested, query, signal, request, reply }) => {
    const { perm, sorting } = userContext.user;
    // Before anything is read, so that no later change is missed.
    const version = listingVersion();
    const storage = await userContext.storage();
    const folder = await recursiveFolder(storage, requested);
    if (folder !== null) {
      try {
        await sendBelow(userContext, { storage, folder, request, reply, signal });
      } catch (error) {
        throw isAppError(error, 'not_a_folder') ? new AppError('bad_request', error.message) : error;
      }
      return undefined;
    }
    await presentResource({
      storage,
      requested,
      sorting,
      canModify: perm.modify,
      canDownload: perm.download,
      checksum: query.checksum ?? '',
      accept: request.headers.accept,
      version,
      asBytes: request.headers['x-encoding'] === 'true',
      onListing,
      request,
      reply,
      signal,
    });
    return undefined;
  });

  route(app, endpoints.listBelow, async ({ userContext, requested, signal, request, reply }) => {
    const storage = await userContext.storage();
    await sendBelow(userContext, { storage, folder: requested.path, request, reply, signal });
    return undefined;
  });
}

/** Registers the endpoints of downloads, subtitles and the used space. */
function registerReading(
  app: FastifyInstance,
  { route, sendRaw, withVersion, rootNameOf, keeping }: FileRouteOptions,
): void {
  route(app, endpoints.getSubtitle, async ({ userContext, requested, request, reply }) => {
    await sendSubtitles({ storage: await userContext.storage(), requested, request, reply });
    return undefined;
  });

  route(app, endpoints.getRaw, async ({ userContext, requested, query, request, reply, getSignal }) => {
    const { version: id, inline, files } = query;
    if (id !== undefined) {
      if (files !== undefined) throw new AppError('bad_request', 'query.version: not with files');
      await withVersion({ userContext, path: requested.path, id }, (content) =>
        sendRaw({ ...content, query: { inline }, request, reply, getSignal }),
      );
      return undefined;
    }
    const storage = await userContext.storage();
    await sendRaw({
      storage,
      requested,
      query,
      request,
      reply,
      getSignal,
      rootName: rootNameOf(userContext),
    });
    return undefined;
  });

  route(app, endpoints.getUsage, async ({ userContext, requested }) =>
    readUsage(await userContext.storage(), requested.path, keeping),
  );
}

/** Registers the endpoints that create files and folders and save files. */
function registerWriting(
  app: FastifyInstance,
  { route, events, space, operations, onFolderCreated, saveContent }: FileRouteOptions,
): void {
  route(
    app,
    endpoints.createResource,
    async ({ userContext, requested, query, content, signal, request, reply }) => {
      const storage = await userContext.storage();
      if (requested.isFolderPath) {
        const isNew = (await storage.stat(requested.path)) === null;
        await createFolder(storage, requested.path);
        if (isNew) {
          const operation = operations.begin(userContext, 'create');
          reply.header(operationHeader, operation.id);
          await onFolderCreated(operation, storage, requested.path);
        }
        return undefined;
      }
      const operation = operations.begin(userContext, 'upload');
      reply.header(operationHeader, operation.id);
      const entry = await storeUpload(
        { events, space },
        {
          operation,
          storage,
          path: requested.path,
          content,
          announcedBytes: announcedLength(request.raw),
          overrides: query.override === 'true',
          signal,
        },
      );
      reply.header('etag', entityTagOf(entry));
      return undefined;
    },
  );

  route(app, endpoints.saveResource, async ({ userContext, requested, content, signal, request, reply }) => {
    await saveContent({
      userContext,
      requested,
      content,
      announcedBytes: announcedLength(request.raw),
      ifMatch: request.headers['if-match'],
      signal,
      reply,
    });
    return undefined;
  });
}

/** Registers the endpoints that move, copy, rename and delete entries. */
function registerMoving(
  app: FastifyInstance,
  { route, events, claimed, operations }: FileRouteOptions,
): void {
  route(app, endpoints.moveResource, async ({ userContext, requested, query, signal, reply }) => {
    const storage = await userContext.storage();
    const to = parseDestination(query.destination);
    const act = query.action === 'copy' ? 'copy' : 'move';
    const operation = operations.begin(userContext, act);
    reply.header(operationHeader, operation.id);
    const kept: KeptEntry[] = [];
    const change: FileChange = {
      event: query.action,
      userContext,
      path: requested.path,
      destination: to,
      operation,
      kept,
    };
    const finalPath = await events.runWhenReady(
      change,
      (beforeChange) =>
        moveEntry(storage, {
          action: query.action,
          from: requested.path,
          // Existing clients may append a slash to any path.
          isFromFolderPath: false,
          to,
          overwrite: query.override === 'true',
          picksFreeName: query.rename === 'true',
          claimed,
          scope: userContext.user.scope,
          beforeChange,
          keeping: operation.keepOptions(act, kept),
          signal,
        }),
      (final) => final,
    );
    reply.header('x-final-path', encodePath(finalPath));
    return undefined;
  });

  route(app, endpoints.deleteResource, async ({ userContext, requested, query, signal, reply }) => {
    const storage = await userContext.storage();
    const operation = operations.begin(userContext, 'delete');
    reply.header(operationHeader, operation.id);
    const kept: KeptEntry[] = [];
    const isRequired = query.permanent === 'false';
    const isPermanent = query.permanent === 'true';
    const keeping = operation.deleteOptions(kept, { isRequired, isPermanent });
    const change: FileChange = {
      event: 'delete',
      userContext,
      path: requested.path,
      destination: null,
      operation,
      kept,
      isPermanent: isPermanent || keeping === null || keeping.skips(storage.toPlace(requested.path)),
    };
    await events.runWhenReady(change, (begin) =>
      deleteEntry(
        storage,
        { ...requested, isFolderPath: false },
        {
          keeping,
          beforeChange: () => begin(),
          signal,
        },
      ),
    );
    const [keptEntry] = kept;
    if (keptEntry !== undefined) reply.header('x-trash-item', keptEntry.id);
    return undefined;
  });
}
