import * as endpoints from '@filestead/contract/endpoints/versions';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { maxVersionPage } from '@filestead/contract/values/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cursorOf, parseCursor } from '../access/keeping/kept-cursor.ts';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import { operationHeader, type Operations } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import { usernameLookup } from '../access/username-lookup.ts';
import { AppError } from '../errors.ts';
import type { ContentViews, EntryViews } from '../http/files/content-views.ts';
import type { Route } from '../http/server/route.ts';
import { type PresentVersion, presentChange, presentVersion, writtenAt } from './present-version.ts';
import { copyVersion, restoreVersion, type RestoreVersionParts } from './restore-version.ts';
import { withContent } from './version-content.ts';
import type { VersionView, VisibleVersion } from './version-view.ts';
import type { Versions } from './versions.ts';

/** Functions of other features, passed in because features do not import each other. */
export type VersionViews = EntryViews & Pick<ContentViews, 'sendRaw' | 'sendPreview'>;

/** The parts of the server that the routes of versions use. */
export interface VersionRouteOptions extends RestoreVersionParts {
  readonly route: Route;
  readonly versions: Versions;
  readonly operations: Operations;
  readonly userContexts: UserContexts;
  readonly views: VersionViews;
  /** Deletes a version forever, unless that is cancelled. Resolves to the end of the time for cancelling (Unix milliseconds). */
  readonly purge: (userContext: UserContext, id: string) => Promise<number>;
}

/** Registers the endpoints of versions. */
export function registerVersions(app: FastifyInstance, options: VersionRouteOptions): void {
  registerReading(app, options);
  registerChanges(app, options);
}

/** Returns the functions that present the versions of one response. */
const presentation = ({ views, userContexts }: VersionRouteOptions): PresentVersion => ({
  typeOf: views.typeOf,
  formatModified: views.formatModified,
  usernameOf: usernameLookup(userContexts),
});

function registerReading(app: FastifyInstance, options: VersionRouteOptions): void {
  const { route, versions, views } = options;

  route(app, endpoints.listVersions, async ({ userContext, requested, query }) => {
    const { before, limit = maxVersionPage } = query;
    const after = before === undefined ? undefined : parseCursor(before);
    const view = await versions.viewOf(userContext);
    const parts = presentation(options);
    const found = await view.list(requested.path, { after, limit });
    const { written, isChangedOutside, versions: page, next, total } = found;
    return {
      written: written === null ? null : await presentChange(written, parts),
      isChangedOutside,
      versions: await Promise.all(page.map((visible) => presentVersion(view, visible, parts))),
      next: next === null ? null : cursorOf(next),
      total,
    };
  });

  route(app, endpoints.getVersion, async ({ userContext, params }) => {
    const view = await versions.viewOf(userContext);
    return presentVersion(view, await view.find(params.id), presentation(options));
  });

  route(app, endpoints.getVersionRaw, async ({ userContext, params, query, request, reply, getSignal }) => {
    await withContent(versions, userContext, { id: params.id }, (content) =>
      views.sendRaw({ ...content, query, request, reply, getSignal }),
    );
    return undefined;
  });

  route(
    app,
    endpoints.getVersionPreview,
    async ({ userContext, params, query, request, reply, getSignal }) => {
      const isInline = query.inline === 'true';
      await withContent(versions, userContext, { id: params.id }, (content) =>
        views.sendPreview({ ...content, size: params.size, isInline, request, reply, getSignal }),
      );
      return undefined;
    },
  );
}

/** Finds a version that a request restores or deletes, and adds its file to the audit record. */
async function findToChange(
  versions: Versions,
  { userContext, request }: { readonly userContext: UserContext; readonly request: FastifyRequest },
  id: string,
): Promise<{ readonly view: VersionView; readonly visible: VisibleVersion }> {
  const view = await versions.viewOf(userContext);
  const visible = await view.find(id);
  Object.assign(request.audit.target, { kind: 'version', path: visible.path });
  return { view, visible };
}

function registerChanges(app: FastifyInstance, options: VersionRouteOptions): void {
  const { route, versions, operations, repository, storage, events, purge } = options;

  route(app, endpoints.restoreVersion, async ({ userContext, body, signal, request, reply }) => {
    const { perm } = userContext.user;
    const isCopy = body.as === 'copy';
    if (!(isCopy ? perm.create && perm.download : perm.modify)) throw new AppError('forbidden');
    if (!isCopy && body.to !== undefined) throw new AppError('bad_request', 'body.to: only for a copy');
    const to = body.to === undefined ? null : virtualPath(body.to);
    const run = async () => {
      const { view, visible } = await findToChange(versions, { userContext, request }, body.id);
      const operation = operations.begin(userContext, isCopy ? 'copy' : 'restore');
      operation.versionAt = writtenAt(visible.version);
      reply.header(operationHeader, operation.id);
      const call = { view, operation, signal };
      return isCopy
        ? { path: await copyVersion(options, call, visible, to), replaced: null }
        : { path: visible.path, replaced: await restoreVersion(options, call, visible) };
    };
    return isCopy ? versions.dropIfMissing(body.id, run) : versions.restoring(body.id, run);
  });

  route(app, endpoints.updateVersion, async ({ userContext, params, body }) => {
    const view = await versions.viewOf(userContext);
    const { version, path } = await view.find(params.id);
    await view.storage.assertAllowed(path);
    const label = body.label === undefined ? version.label : body.label?.trim() || null;
    const annotation = { label, keepsForever: body.keepForever ?? version.keepsForever };
    await versions.dropIfMissing(params.id, () =>
      storage.record({ kind: 'annotation', entry: keptEntryOf(version), ...annotation }),
    );
    await repository.update(params.id, annotation);
    return presentVersion(view, await view.find(params.id), presentation(options));
  });

  route(app, endpoints.deleteVersion, async ({ userContext, params, request, reply }) => {
    const { view, visible } = await findToChange(versions, { userContext, request }, params.id);
    if (visible.version.keepsForever) {
      throw new AppError('forbidden', 'this version is kept forever; turn that off first');
    }
    if (!view.canDelete(visible)) {
      throw new AppError('forbidden', 'only administrators may delete versions that other users replaced');
    }
    const operation = operations.begin(userContext, 'purge');
    operation.versionAt = writtenAt(visible.version);
    reply.header(operationHeader, operation.id);
    const { path } = visible;
    const change = {
      event: 'purge',
      userContext,
      path,
      destination: null,
      operation,
      keptId: params.id,
    } as const;
    const purgeAt = await events.runTogether([change], () => purge(userContext, params.id));
    return { undoUntil: new Date(purgeAt).toISOString() };
  });
}
