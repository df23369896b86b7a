import * as contract from '@filestead/contract/shares';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { operationHeader } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import { shortHash } from '../audit/audit-record.ts';
import type { StoredShare } from '../database/stored-share.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { Route } from '../http/server/route.ts';
import { sendChunks } from '../http/response/send-chunks.ts';
import { createShare } from './create-share.ts';
import { deleteShare } from './delete-share.ts';
import type { ShareDependencies } from './dependencies.ts';
import { listShares, listSharesOfPath } from './list-shares.ts';
import { type LoggedShareChange, shareChange } from './share-change.ts';
import { updateShare } from './update-share.ts';

interface OwnShareRouteOptions {
  readonly route: Route;
  /** Logs a change of a share as an operation, and returns its id. */
  readonly logChange: (userContext: UserContext, change: LoggedShareChange) => string;
  readonly views: EntryViews;
}

/** Registers the endpoints for a user's own shares, and those of all users for administrators. */
export function registerOwnShares(
  app: FastifyInstance,
  { route, logChange, views }: OwnShareRouteOptions,
  dependencies: ShareDependencies,
): void {
  const log = async (
    userContext: UserContext,
    reply: FastifyReply,
    before: StoredShare,
    after: StoredShare | null,
  ): Promise<void> => {
    const change = await shareChange(dependencies, before, after);
    if (change !== null) reply.header(operationHeader, logChange(userContext, change));
  };

  route(app, contract.listShares, async ({ userContext, query, request, reply }) => {
    await sendChunks(
      request,
      reply,
      'application/json; charset=utf-8',
      listShares(dependencies, userContext, {
        isOwn: query.own === 'true',
        withExpired: query.expired === 'true',
        views: query.entries === 'true' ? views : null,
      }),
    );
    return undefined;
  });

  route(app, contract.listSharesOfPath, ({ userContext, requested }) =>
    listSharesOfPath(dependencies, userContext, requested.path),
  );

  route(app, contract.createShare, async ({ userContext, requested, query, body, request }) => {
    // A deletion of a former entry in this place must not end the new share.
    await dependencies.sync.flush();
    const share = await createShare(dependencies, userContext, {
      requested,
      password: body?.password ?? '',
      expires: body?.expires ?? query.expires,
      unit: body?.unit ?? query.unit,
    });
    request.audit.target.share = shortHash(share.hash);
    request.audit.changed = [
      `expire=${share.expire}`,
      ...((body?.password ?? '').trim() === '' ? [] : ['password']),
    ];
    return share;
  });

  route(app, contract.updateShare, async ({ userContext, params, body, request, reply }) => {
    const { share, before, after, changed } = await updateShare(dependencies, userContext, params.hash, body);
    request.audit.target.user = { id: before.userId, name: null };
    request.audit.target.path = before.path;
    request.audit.changed = changed;
    // A new password ends downloads of visitors who do not know it.
    app.runningRequests.permissionsChanged();
    if (changed.length > 0) await log(userContext, reply, before, after);
    return share;
  });

  route(app, contract.deleteShare, async ({ userContext, params, query, request, reply }) => {
    const options = { withExpired: query.expired === 'true' };
    const share = await deleteShare(dependencies, userContext, params.hash, options);
    request.audit.target.user = { id: share.userId, name: null };
    request.audit.target.path = share.path;
    app.runningRequests.permissionsChanged();
    await log(userContext, reply, share, null);
    return undefined;
  });
}
