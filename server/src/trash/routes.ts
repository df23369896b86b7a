import * as endpoints from '@filestead/contract/endpoints/trash';
import type { RestoreResult } from '@filestead/contract/endpoints/trash';
import type { Job } from '@filestead/contract/jobs';
import {
  nameOf,
  rootPath,
  type RequestedPath,
  type VirtualPath,
  virtualPath,
} from '@filestead/contract/paths/virtual-path';
import { defaultTrashPage } from '@filestead/contract/values/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Operation, operationHeader, type Operations } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import { usernameLookup } from '../access/username-lookup.ts';
import type { Clock } from '../clock.ts';
import { AppError, isAppError } from '../errors.ts';
import { parseCursor } from '../access/keeping/kept-cursor.ts';
import { type ContentViews, type EntryViews, readOnlyOptions } from '../http/files/content-views.ts';
import { acceptsRows } from '../http/request/accepts.ts';
import type { Route } from '../http/server/route.ts';
import { sendChunks } from '../http/response/send-chunks.ts';
import type { Storage } from '../storage/storage.ts';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import { readTrash, trashAsRows } from './list-trash.ts';
import { type PresentItem, expiryAfter, presentItems } from './present-item.ts';
import { requestPurge } from './request-purge.ts';
import {
  dropIfMissing,
  inRestoreOrder,
  restoreItem,
  type RestoreParts,
  type RestoreTarget,
} from './restore-item.ts';
import type { Trash } from './trash.ts';
import type { TrashView, VisibleKept } from './trash-view.ts';

/** A job that restores deleted entries. */
interface RestoreJob {
  readonly kind: 'restore';
  readonly items: readonly {
    /** The position in the request. */
    readonly index: number;
    readonly from: RequestedPath;
    readonly to: null;
    readonly overwrite: false;
    readonly picksFreeName: false;
    readonly trashItem: string;
  }[];
  readonly restoreTarget: Omit<RestoreTarget, 'signal'>;
}

/** Functions of other features, passed in because features do not import each other. */
export interface TrashViews extends ContentViews, EntryViews {
  /** Starts a job. Throws `too_many_requests`. */
  readonly startJob: (userContext: UserContext, job: RestoreJob, request: FastifyRequest) => Promise<Job>;
}

/** The parts of the server that the routes of the trash use. */
export interface TrashRouteOptions extends Pick<
  RestoreParts,
  'events' | 'repository' | 'wasCreatedByRestoration'
> {
  readonly route: Route;
  readonly trash: Trash;
  readonly userContexts: UserContexts;
  readonly operations: Operations;
  readonly clock: Clock;
  readonly trashDays: () => number;
  readonly purgeDelayMs: number;
  readonly views: TrashViews;
}

/** Maximum number of entries that are restored without a job. */
const restoredAtOnce = 5;
/** Paths of a selection that the audit log records. */
const auditedPaths = 10;

/** Registers the endpoints of the trash. */
export function registerTrash(app: FastifyInstance, options: TrashRouteOptions): void {
  registerLists(app, options);
  registerContents(app, options);
  registerRestoration(app, options);
  registerPurging(app, options);
}

async function findItem(view: TrashView, id: string): Promise<VisibleKept> {
  const item = await view.find(id);
  if (item === null) throw new AppError('not_found');
  return item;
}

function registerLists(app: FastifyInstance, options: TrashRouteOptions): void {
  const { route, trash, userContexts, trashDays, views } = options;
  const parts = (): PresentItem => {
    const days = trashDays();
    return {
      typeOf: views.typeOf,
      formatModified: views.formatModified,
      usernameOf: usernameLookup(userContexts),
      expiryOf: (keptAt) => expiryAfter(keptAt, days),
    };
  };

  route(app, endpoints.listTrash, async ({ userContext, query, request, reply }) => {
    const { below, by, q, before, limit } = query;
    const after = before === undefined ? undefined : parseCursor(before);
    const view = await trash.viewOf(userContext);
    const filter = {
      below: below === undefined ? undefined : virtualPath(below),
      isOwn: by === 'me',
      q: q === '' ? undefined : q,
    };
    if (!acceptsRows(request.headers.accept)) {
      return readTrash(view, { filter, after, limit: limit ?? defaultTrashPage }, parts());
    }
    const rows = trashAsRows(view, { filter, after, limit: limit ?? Infinity }, parts());
    await sendChunks(request, reply, 'application/x-ndjson; charset=utf-8', rows);
    return undefined;
  });

  route(app, endpoints.getTrashItem, async ({ userContext, params }) => {
    const view = await trash.viewOf(userContext);
    const [item] = await presentItems(view, [await findItem(view, params.id)], parts());
    if (item === undefined) throw new AppError('not_found');
    return item;
  });
}

/** Calls `work` with the content of a deleted entry. Every path of a deleted file is that file. */
async function withContent(
  parts: Pick<RestoreParts, 'repository' | 'index' | 'log'> & { readonly trash: Trash },
  userContext: UserContext,
  id: string,
  requested: RequestedPath,
  work: (content: { storage: Storage; requested: RequestedPath; name: string }) => Promise<void>,
): Promise<void> {
  const view = await parts.trash.viewOf(userContext);
  const item = await findItem(view, id);
  const { kept, path } = item;
  const name = nameOf(path);
  const isFolder = kept.kind === 'folder';
  const storage = await view.storage.kept(keptEntryOf(kept)).catch(async (error: unknown) => {
    if (isAppError(error, 'not_found')) await dropIfMissing(parts, item);
    throw error;
  });
  try {
    const file: RequestedPath = { path: `/${name}` as VirtualPath, isFolderPath: false };
    await work({ storage, requested: isFolder ? requested : file, name });
  } finally {
    await storage.close();
  }
}

function registerContents(app: FastifyInstance, options: TrashRouteOptions): void {
  const { route, trash, repository, views } = options;
  const parts = { trash, repository, index: trash.index, log: app.log };

  route(app, endpoints.listTrashFolder, async (call) => {
    const { userContext, params, request, reply, signal } = call;
    await withContent(parts, userContext, params.id, call.requested, ({ storage, requested, name }) =>
      views.presentResource({
        storage,
        requested,
        rootName: name,
        ...readOnlyOptions(userContext),
        request,
        reply,
        signal,
      }),
    );
    return undefined;
  });

  route(app, endpoints.getTrashRaw, async (call) => {
    const { userContext, params, query, request, reply, getSignal } = call;
    await withContent(parts, userContext, params.id, call.requested, ({ storage, requested, name }) =>
      views.sendRaw({ storage, requested, query, request, reply, getSignal, rootName: name }),
    );
    return undefined;
  });

  route(app, endpoints.getTrashPreview, async (call) => {
    const { userContext, params, query, request, reply, getSignal } = call;
    const isInline = query.inline === 'true';
    await withContent(parts, userContext, params.id, call.requested, ({ storage, requested }) =>
      views.sendPreview({ storage, requested, size: params.size, isInline, request, reply, getSignal }),
    );
    return undefined;
  });
}

/**
 * Returns the job that restores the entries with these ids.
 * @param found those that the user may see, in the order of the restoration
 */
function restoreJobOf(
  ids: readonly string[],
  found: readonly VisibleKept[],
  restoreTarget: RestoreJob['restoreTarget'],
): RestoreJob {
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const paths = new Map(found.map(({ kept, path }) => [kept.id, path]));
  const items = [...paths.keys(), ...ids.filter((id) => !paths.has(id))].map((id) => ({
    index: indexes.get(id) ?? 0,
    from: { path: paths.get(id) ?? rootPath, isFolderPath: false },
    to: null,
    overwrite: false as const,
    picksFreeName: false as const,
    trashItem: id,
  }));
  return { kind: 'restore', items, restoreTarget };
}

function registerRestoration(app: FastifyInstance, options: TrashRouteOptions): void {
  const { route, trash, repository, events, wasCreatedByRestoration, operations, views } = options;
  const parts = { repository, index: trash.index, events, wasCreatedByRestoration, log: app.log };

  route(app, endpoints.restoreTrash, async ({ userContext, body, signal, request, reply }) => {
    const target = {
      to: body.to === undefined ? null : virtualPath(body.to),
      conflict: body.conflict,
      resumesLinks: body.links,
    };
    if (target.conflict === 'replace' && !userContext.user.perm.modify) throw new AppError('forbidden');
    const view = await trash.viewOf(userContext);
    const ids = [...new Set(body.ids)];
    const found = inRestoreOrder(await view.findAll(ids));
    const paths = found.slice(0, auditedPaths).map(({ path }) => path);
    Object.assign(request.audit.target, { kind: 'restore', count: ids.length, paths });
    if (ids.length > restoredAtOnce) {
      const job = await views.startJob(userContext, restoreJobOf(ids, found, target), request);
      reply.code(202);
      return job;
    }
    const results = new Map<string, RestoreResult>();
    const operation = operations.begin(userContext, 'restore');
    reply.header(operationHeader, operation.id);
    for (const { kept } of found) {
      results.set(kept.id, await restoreOne(parts, view, operation, kept.id, { ...target, signal }));
    }
    return { results: ids.map((id) => results.get(id) ?? { id, error: 'not_found' as const }) };
  });
}

/** Restores one of several entries; an expected error is its result. */
async function restoreOne(
  parts: Parameters<typeof restoreItem>[0],
  view: TrashView,
  operation: Operation,
  id: string,
  target: RestoreTarget,
): Promise<RestoreResult> {
  try {
    const { path, shares } = await restoreItem(parts, view, operation, id, target);
    return { id, path, ...(shares.length > 0 && { links: [...shares] }) };
  } catch (error) {
    if (isAppError(error) && !target.signal.aborted) return { id, error: error.code };
    throw error;
  }
}

function registerPurging(app: FastifyInstance, options: TrashRouteOptions): void {
  const { route, trash, repository, events, operations, clock, purgeDelayMs } = options;
  const { worker, index } = trash;
  const isRestoring = (id: string): boolean => index.isRestoring(id);
  const parts = { repository, worker, isRestoring, events, clock, purgeDelayMs };

  route(app, endpoints.purgeTrash, async ({ userContext, body, request, reply }) => {
    const operation = operations.begin(userContext, 'purge');
    reply.header(operationHeader, operation.id);
    const result = await requestPurge(parts, await trash.viewOf(userContext), body, operation);
    Object.assign(request.audit.target, { kind: 'purge', count: result.count });
    return result;
  });

  route(app, endpoints.cancelPurge, async ({ userContext, body, request }) => {
    const ids = [...new Set(body.ids)];
    const shown = await repository.unhide(ids, userContext.user.id, clock.now());
    Object.assign(request.audit.target, { kind: 'purge', count: shown.length });
    if (shown.length === 0) throw new AppError('not_found');
    return { count: shown.length };
  });
}
