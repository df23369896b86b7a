import { rotatePicture } from '@filestead/contract/endpoints/rotation';
import { getMedia, getPreview, listMedia } from '@filestead/contract/previews';
import type { FastifyInstance } from 'fastify';
import type { SaveContent, WithVersion } from '../http/files/content-views.ts';
import { entityTagOf } from '../http/files/entity-tag.ts';
import { partyOf } from '../http/request/party-of.ts';
import type { Route } from '../http/server/route.ts';
import type { Media } from './metadata/list-media.ts';
import { openRotated } from './rotation/rotate-picture.ts';
import type { SendPreview } from './send-preview.ts';

/** Registers the preview endpoints. */
export function registerPreviews(
  app: FastifyInstance,
  {
    route,
    sendPreview,
    withVersion,
    media,
    saveContent,
  }: {
    route: Route;
    sendPreview: SendPreview;
    withVersion: WithVersion;
    media: Media;
    saveContent: SaveContent;
  },
): void {
  route(app, getPreview, async ({ userContext, requested, params, query, request, reply, getSignal }) => {
    const { size } = params;
    const isInline = query.inline === 'true';
    const { version: id } = query;
    if (id !== undefined) {
      await withVersion({ userContext, path: requested.path, id }, (content) =>
        sendPreview({ ...content, size, isInline, request, reply, getSignal }),
      );
      return undefined;
    }
    const storage = await userContext.storage();
    const hasKey = query.key !== undefined;
    await sendPreview({ storage, requested, size, isInline, hasKey, request, reply, getSignal });
    return undefined;
  });
  route(app, listMedia, async ({ userContext, requested, body, request, signal }) => {
    const requester = { party: partyOf(request), signal };
    return { rows: await media.list(await userContext.storage(), requested.path, body.names, requester) };
  });
  route(app, getMedia, async ({ userContext, requested, request, signal }) =>
    media.get(await userContext.storage(), requested.path, { party: partyOf(request), signal }),
  );
  route(app, rotatePicture, async ({ userContext, requested, body, signal, reply }) => {
    const storage = await userContext.storage();
    const { file, content, size, orientation } = await openRotated(storage, requested.path, body.degrees);
    try {
      const saved = await saveContent({
        userContext,
        requested,
        content,
        announcedBytes: size,
        // A file that has changed since it was read stays as it is.
        ifMatch: entityTagOf(file.entry),
        signal,
        reply,
      });
      const modified = new Date(Number(saved.modifiedNs / 1_000_000n)).toISOString();
      return { orientation, size: saved.size, modified };
    } finally {
      await file.close();
    }
  });
}
