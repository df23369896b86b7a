import * as endpoints from '@filestead/contract/uploads';
import { comparedTailBytes, expiringSoonMs } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import { operationHeader } from '../access/operation.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { streamBody } from '../http/request/request-body.ts';
import type { Route } from '../http/server/route.ts';
import { absolutePath } from './absolute-path.ts';
import type { BlockedChoice } from './blocked-choices.ts';
import { isBeingSent } from './live-upload.ts';
import type { Uploads } from './uploads.ts';

/** Parses the choice for a blocked upload. Throws `bad_request` when a move has no path. */
function choiceOf(
  action: (typeof endpoints.blockedActions)[number],
  path: string | undefined,
): BlockedChoice {
  if (action !== 'move') return { action };
  const parsed = absolutePath(path);
  if (parsed.isFolderPath) throw new AppError('bad_request', 'path: expected the path of a file');
  return { action, path: parsed.path };
}

/** Registers the endpoints with which users list, compare, finish and discard their unfinished uploads. */
export function registerUnfinishedUploads(
  app: FastifyInstance,
  { route, uploads, clock }: { readonly route: Route; readonly uploads: Uploads; readonly clock: Clock },
): void {
  const { registry } = uploads;

  route(app, endpoints.listUploads, async ({ userContext }) =>
    registry.listOf(userContext).map((upload) => {
      const { record, offset } = upload;
      return {
        id: record.id,
        path: record.path,
        size: record.lengthBytes,
        stored: offset,
        began: record.beganAt,
        lastByte: record.lastByteAt,
        expires: record.expiresAt,
        expiresSoon: record.expiresAt - clock.now() < expiringSoonMs,
        modified: record.modifiedMs,
        key: record.clientKey,
        folder: record.folder,
        state: record.blockedBy === null ? ('receiving' as const) : ('blocked' as const),
        reason: record.blockedBy,
        detail: record.blockedDetail,
        isSending: record.blockedBy === null && isBeingSent(upload, clock.now()),
        overrides: record.overrides,
      };
    }),
  );

  route(app, endpoints.finishBlockedUpload, async ({ userContext, params, body, reply }) => {
    const { action, path } = body;
    const upload = registry.byId(userContext, params.id);
    await uploads.choose(userContext, upload, choiceOf(action, path));
    if (upload.operation !== null) reply.header(operationHeader, upload.operation);
    return { path: upload.record.path };
  });

  route(app, endpoints.discardUpload, async ({ userContext, params, reply }) => {
    const upload = registry.byId(userContext, params.id);
    if (upload.record.isFinished) throw new AppError('not_found');
    await registry.drop(upload);
    await reply.code(204).send();
    return undefined;
  });

  route(app, endpoints.compareUpload, async ({ userContext, params, query, request }) => {
    const upload = registry.byId(userContext, params.id);
    const chunks: Uint8Array[] = [];
    for await (const chunk of streamBody(request.raw, comparedTailBytes)) chunks.push(chunk);
    const isSame = await uploads.compare(userContext, upload, Number(query.offset), Buffer.concat(chunks));
    return { isSame };
  });
}
