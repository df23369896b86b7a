import { discardUserUpload, listUserUploads } from '@filestead/contract/uploads';
import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance } from 'fastify';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Route } from '../http/server/route.ts';
import { isBeingSent } from './live-upload.ts';
import { scopeOf, servedPathOf, type UploadRegistry } from './upload-registry.ts';

/** The dependencies of {@link registerUserUploads}. */
interface UserUploadParts {
  readonly route: Route;
  readonly registry: UploadRegistry;
  readonly userContexts: Pick<UserContexts, 'find'>;
  readonly clock: Clock;
}

/** Returns a path of the served folder as the user's path; null outside the user's scope. */
function pathFor(userContext: UserContext, servedPath: VirtualPath): string | null {
  const scope = scopeOf(userContext);
  if (!isAtOrBelow(servedPath, scope)) return null;
  return scope === '/' ? servedPath : servedPath.slice(scope.length);
}

/** Registers the endpoints with which administrators see and cancel the unfinished uploads of all users. */
export function registerUserUploads(
  app: FastifyInstance,
  { route, registry, userContexts, clock }: UserUploadParts,
): void {
  route(app, listUserUploads, async ({ userContext }) => {
    const uploads = registry.listAll();
    const users = await Promise.all(uploads.map(({ record }) => userContexts.find(record.userId)));
    return uploads.flatMap((upload, index) => {
      const { record, offset } = upload;
      const user = users[index];
      // The uploads of deleted users are removed by the next sweep.
      if (!user) return [];
      return {
        id: record.id,
        username: user.username,
        path: pathFor(userContext, servedPathOf(upload)),
        size: record.lengthBytes,
        stored: offset,
        began: record.beganAt,
        lastByte: record.lastByteAt,
        expires: record.expiresAt,
        state: record.blockedBy === null ? ('receiving' as const) : ('blocked' as const),
        reason: record.blockedBy,
        detail: record.blockedDetail,
        isSending: record.blockedBy === null && isBeingSent(upload, clock.now()),
      };
    });
  });

  route(app, discardUserUpload, async ({ params, reply }) => {
    const upload = registry.listAll().find(({ record }) => record.id === params.id);
    if (upload === undefined) throw new AppError('not_found');
    await registry.drop(upload);
    await reply.code(204).send();
    return undefined;
  });
}
