import * as endpoints from '@filestead/contract/uploads';
import type { RequestedPath } from '@filestead/contract/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/caller.ts';
import { announcedLength, hasBody } from '../http/request-body.ts';
import type { Route } from '../http/route.ts';
import type { LiveUpload } from './live-upload.ts';
import {
  agreeOnVersion,
  describe,
  describeServer,
  isPart,
  isTus,
  locationOf,
  overriddenMethod,
  readCount,
} from './tus-headers.ts';
import { openUploads, type UploadParts } from './uploads.ts';

/** What all calls about an upload come with. */
interface UploadCall {
  readonly caller: Caller;
  readonly requested: RequestedPath;
  readonly query: { readonly upload?: string | undefined; readonly override?: string | undefined };
  readonly content: AsyncIterable<Uint8Array>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Puts uploads that arrive in parts on the server. */
export async function registerUploads(
  app: FastifyInstance,
  { route, baseUrl, ...parts }: Omit<UploadParts, 'log'> & { route: Route; baseUrl: string },
): Promise<void> {
  const uploads = await openUploads({ ...parts, log: app.log });
  const { shelf } = uploads;
  app.addHook('onClose', () => shelf.close());

  const find = ({ caller, requested, query }: UploadCall): LiveUpload => {
    if (query.upload !== undefined) return shelf.byId(caller, query.upload);
    const upload = shelf.byPath(caller, requested.path);
    if (upload === null) throw new AppError('not_found');
    return upload;
  };

  const begin = async (call: UploadCall): Promise<void> => {
    const { caller, requested, query, content, request, reply } = call;
    if (requested.isFolderPath) throw new AppError('bad_request', 'a folder cannot be uploaded');
    const upload = await uploads.begin(caller, {
      path: requested.path,
      lengthBytes: readCount(request, 'upload-length'),
      overrides: query.override === 'true',
      isByPath: !isTus(request),
    });
    reply.header('location', locationOf(upload, baseUrl));
    if (isTus(request) && isPart(request) && hasBody(request.raw)) {
      await uploads.append(caller, upload, {
        offset: 0,
        content,
        announcedBytes: announcedLength(request.raw),
      });
    }
    if (isTus(request)) describe(reply, upload);
    await reply.code(201).send();
  };

  const tell = async (call: UploadCall): Promise<void> => {
    const upload = find(call);
    await uploads.resume(call.caller, upload);
    if (upload.facts.isByPath && upload.facts.isFinished) throw new AppError('not_found');
    describe(call.reply, upload);
    call.reply.header('upload-length', String(upload.facts.lengthBytes));
    await call.reply.code(200).send();
  };

  const append = async (call: UploadCall): Promise<void> => {
    const { caller, content, request, reply } = call;
    if (call.requested.isFolderPath) throw new AppError('bad_request', 'a folder cannot be uploaded');
    if (!isPart(request)) {
      throw new AppError('unsupported_media_type', `send the part as ${endpoints.tusContentType}`);
    }
    const offset = readCount(request, 'upload-offset');
    const upload = find(call);
    await uploads.append(caller, upload, { offset, content, announcedBytes: announcedLength(request.raw) });
    describe(reply, upload);
    await reply.code(204).send();
  };

  const end = async (call: UploadCall): Promise<void> => {
    const { caller, requested, query, reply } = call;
    if (query.upload === undefined && !caller.user.perm.delete) throw new AppError('forbidden');
    if (requested.path === '/') throw new AppError('root_is_protected');
    await shelf.drop(find(call));
    await reply.code(204).send();
  };

  route(app, endpoints.getTusOptions, async ({ reply }) => {
    describeServer(reply, app.httpOptions.maxUploadBytes);
    await reply.code(204).send();
    return undefined;
  });

  route(app, endpoints.createUpload, async (call) => {
    agreeOnVersion(call.request, call.reply);
    const handlers = { POST: begin, HEAD: tell, PATCH: append, DELETE: end };
    await handlers[overriddenMethod(call.request)](call);
    return undefined;
  });

  route(app, endpoints.getUpload, async (call) => {
    agreeOnVersion(call.request, call.reply);
    await tell(call);
    return undefined;
  });

  route(app, endpoints.appendUpload, async (call) => {
    agreeOnVersion(call.request, call.reply);
    await append(call);
    return undefined;
  });

  route(app, endpoints.endUpload, async (call) => {
    agreeOnVersion(call.request, call.reply);
    await end(call);
    return undefined;
  });
}
