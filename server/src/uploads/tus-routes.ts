import * as endpoints from '@filestead/contract/endpoints/resumable-uploads';
import type { FastifyInstance } from 'fastify';
import { rawPathOf } from '../http/request/target.ts';
import type { Route } from '../http/server/route.ts';
import { openTusHandlers } from './tus-handlers.ts';
import { assertTusVersion, isTus, overriddenMethod, setServerHeaders } from './tus-headers.ts';
import type { Uploads } from './uploads.ts';

/** Registers the endpoints of the tus protocol. */
export function registerTus(
  app: FastifyInstance,
  { route, uploads, baseUrl }: { readonly route: Route; readonly uploads: Uploads; readonly baseUrl: string },
): void {
  const { begin, sendOffset, append, cancel } = openTusHandlers(uploads, baseUrl);

  // "The Tus-Resumable header MUST be included in every request and response" (tus 1.0, Headers), also in errors.
  app.addHook('onRequest', async (request, reply) => {
    if (isTus(request) && /^\/api\/tus(?:\/|$)/.test(rawPathOf(request.raw.url ?? '/'))) {
      reply.header('tus-resumable', endpoints.tusVersion);
    }
  });

  route(app, endpoints.getTusOptions, async ({ reply }) => {
    setServerHeaders(reply, app.httpOptions.maxUploadBytes);
    await reply.code(204).send();
    return undefined;
  });

  route(app, endpoints.createUpload, async (call) => {
    assertTusVersion(call.request, call.reply);
    const handlers = { POST: begin, HEAD: sendOffset, PATCH: append, DELETE: cancel };
    await handlers[overriddenMethod(call.request)](call);
    return undefined;
  });

  route(app, endpoints.getUpload, async (call) => {
    assertTusVersion(call.request, call.reply);
    await sendOffset(call);
    return undefined;
  });

  route(app, endpoints.appendUpload, async (call) => {
    assertTusVersion(call.request, call.reply);
    await append(call);
    return undefined;
  });

  route(app, endpoints.endUpload, async (call) => {
    assertTusVersion(call.request, call.reply);
    await cancel(call);
    return undefined;
  });
}
