import { getPreview } from '@filestead/contract/previews';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/server/route.ts';
import type { SendPreview } from './send-preview.ts';

/** Registers the preview endpoints. */
export function registerPreviews(
  app: FastifyInstance,
  { route, sendPreview }: { route: Route; sendPreview: SendPreview },
): void {
  route(app, getPreview, async ({ userContext, requested, params, query, request, reply, signal }) => {
    const { size } = params;
    const isInline = query.inline === 'true';
    const storage = await userContext.storage();
    await sendPreview({ storage, requested, size, isInline, request, reply, signal });
    return undefined;
  });
}
