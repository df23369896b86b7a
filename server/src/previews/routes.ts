import { getMedia, getPreview, listMedia } from '@filestead/contract/previews';
import type { FastifyInstance } from 'fastify';
import { partyOf } from '../http/request/party-of.ts';
import type { Route } from '../http/server/route.ts';
import type { Media } from './metadata/list-media.ts';
import type { SendPreview } from './send-preview.ts';

/** Registers the preview endpoints. */
export function registerPreviews(
  app: FastifyInstance,
  { route, sendPreview, media }: { route: Route; sendPreview: SendPreview; media: Media },
): void {
  route(app, getPreview, async ({ userContext, requested, params, query, request, reply, signal }) => {
    const { size } = params;
    const isInline = query.inline === 'true';
    const storage = await userContext.storage();
    await sendPreview({ storage, requested, size, isInline, request, reply, signal });
    return undefined;
  });
  route(app, listMedia, async ({ userContext, requested, body, request, signal }) => {
    const requester = { party: partyOf(request), signal };
    return { rows: await media.list(await userContext.storage(), requested.path, body.names, requester) };
  });
  route(app, getMedia, async ({ userContext, requested, request, signal }) =>
    media.get(await userContext.storage(), requested.path, { party: partyOf(request), signal }),
  );
}
