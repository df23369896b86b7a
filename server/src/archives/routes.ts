import * as endpoints from '@filestead/contract/archives';
import { nameOf, parsePath } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UserContext } from '../access/user-context.ts';
import { type ContentViews, readOnlyOptions } from '../http/files/content-views.ts';
import { partyOf } from '../http/request/party-of.ts';
import type { Route } from '../http/server/route.ts';
import type { Storage } from '../storage/storage.ts';
import { archiveStorage } from './reading/archive-storage.ts';
import type { ArchiveReader } from './reading/open-archive.ts';
import type { SendArchive } from './send-archive.ts';
import { openTicketedArchives } from './ticketed-archives.ts';

/** Paths of a selection that the audit log records. */
const auditedPaths = 10;

/** Registers downloads of selections that are too long for a URL: requested with a body, then fetched with a ticket. */
export function registerArchives(
  app: FastifyInstance,
  options: {
    route: Route;
    sendArchive: SendArchive;
    /** Returns the name of the root of a user's scope. */
    rootNameOf: (userContext: UserContext) => string;
    /** Unix milliseconds. */
    now: () => number;
  },
): void {
  const { route, sendArchive, rootNameOf, now } = options;
  const archives = openTicketedArchives(sendArchive, now);

  route(app, endpoints.createArchive, async ({ userContext, body, signal, request }) => {
    request.audit.target.count = body.paths.length;
    request.audit.target.paths = body.paths.slice(0, auditedPaths);
    return archives.issue({
      holder: userContext.sessionId,
      party: partyOf(request),
      storage: await userContext.storage(),
      body,
      rootName: rootNameOf(userContext),
      signal,
    });
  });

  route(app, endpoints.getArchive, async ({ userContext, params, request, reply, signal }) => {
    const storage = await userContext.storage();
    await archives.send({
      holder: userContext.sessionId,
      storage,
      ticket: params.ticket,
      request,
      reply,
      signal,
    });
    return undefined;
  });
}

/** Registers the endpoints that show the contents of archives like folders. */
export function registerArchiveContents(
  app: FastifyInstance,
  { route, reader, views }: { route: Route; reader: ArchiveReader; views: ContentViews },
): void {
  /** Calls `work` with the content of the archive at `archive`, a path in the files of the user. */
  const withContent = async (
    {
      userContext,
      request,
      signal,
    }: { userContext: UserContext; request: FastifyRequest; signal: AbortSignal },
    archive: string,
    work: (storage: Storage, name: string) => Promise<void>,
  ): Promise<void> => {
    const { path } = parsePath(archive);
    const files = await userContext.storage();
    const file = await files.openFile(path);
    let storage: Storage;
    try {
      storage = archiveStorage(await reader.open(file, path, { party: partyOf(request), signal }), file);
    } catch (error) {
      await file.close();
      throw error;
    }
    try {
      await work(storage, nameOf(path));
    } finally {
      await storage.close();
    }
  };

  route(app, endpoints.listArchiveFolder, async (call) => {
    const { userContext, query, requested, request, reply, signal } = call;
    await withContent(call, query.archive, (storage, rootName) =>
      views.presentResource({
        storage,
        requested,
        rootName,
        ...readOnlyOptions(userContext),
        request,
        reply,
        signal,
      }),
    );
    return undefined;
  });

  route(app, endpoints.getArchiveRaw, async (call) => {
    const { query, requested, request, reply, getSignal } = call;
    await withContent(call, query.archive, (storage, rootName) =>
      views.sendRaw({ storage, requested, query, request, reply, getSignal, rootName }),
    );
    return undefined;
  });

  route(app, endpoints.getArchivePreview, async (call) => {
    const { query, params, requested, request, reply, getSignal } = call;
    const isInline = query.inline === 'true';
    await withContent(call, query.archive, (storage) =>
      views.sendPreview({ storage, requested, size: params.size, isInline, request, reply, getSignal }),
    );
    return undefined;
  });
}
