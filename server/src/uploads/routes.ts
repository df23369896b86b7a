import * as endpoints from '@filestead/contract/uploads';
import { parsePath, type RequestedPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { comparedTailBytes, expiringSoonMs } from '@filestead/contract/values/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, isAppError } from '../errors.ts';
import { operationHeader } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import { announcedLength, hasBody, streamBody } from '../http/request/request-body.ts';
import { rawPathOf } from '../http/request/target.ts';
import type { Route } from '../http/server/route.ts';
import type { BlockedChoice } from './blocked-choices.ts';
import type { FolderUploads, FolderUploadState } from './folder-uploads.ts';
import type { LiveUpload } from './live-upload.ts';
import {
  assertTusVersion,
  setUploadHeaders,
  setServerHeaders,
  isPart,
  isTus,
  locationOf,
  metadataHeader,
  overriddenMethod,
  readChecksum,
  readCount,
  assertSupportedExtensions,
} from './tus-headers.ts';
import { fileNamedBy, parseMetadata, propertiesIn } from './upload-metadata.ts';
import { openUploads, type UploadParts } from './uploads.ts';
import { isBeingSent } from './live-upload.ts';
import { registerUserUploads } from './user-uploads.ts';

/** The parameters that all handlers of uploads have in common. */
interface UploadCall {
  readonly userContext: UserContext;
  readonly requested: RequestedPath;
  readonly query: { readonly upload?: string | undefined; readonly override?: string | undefined };
  readonly content: AsyncIterable<Uint8Array>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Returns the target of a new upload: the path, or for a folder the file that the metadata name. Throws `bad_request`,
 * `invalid_path`.
 */
function targetOf({ requested, request }: UploadCall): VirtualPath {
  if (!requested.isFolderPath) return requested.path;
  if (!isTus(request)) throw new AppError('bad_request', 'a folder cannot be uploaded');
  return fileNamedBy(parseMetadata(metadataHeader(request)), requested.path);
}

/** Parses a path in a body. Throws `bad_request` for a missing or relative one, and `invalid_path`. */
function absolutePath(path: string | undefined): RequestedPath {
  if (path === undefined || !path.startsWith('/'))
    throw new AppError('bad_request', 'path: expected a path that begins with a slash');
  return parsePath(path);
}

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

/** Registers the endpoints of resumable uploads. */
export async function registerUploads(
  app: FastifyInstance,
  {
    route,
    baseUrl,
    folders,
    ...parts
  }: Omit<UploadParts, 'log' | 'sentFiles'> & { route: Route; baseUrl: string; folders: FolderUploads },
): Promise<void> {
  const { clock, events } = parts;
  events.subscribe({
    after: (change) => (change.event === 'rename' ? folders.follow(change) : undefined),
  });
  const uploads = await openUploads({ ...parts, sentFiles: folders, log: app.log });
  const { registry } = uploads;
  app.addHook('onClose', () => registry.close());

  app.addHook('onClose', () => folders.close());

  const isSoon = (expiresAt: number): boolean => expiresAt - clock.now() < expiringSoonMs;
  const presentFolder = ({
    record,
    arrivedFiles,
    arrivedBytes,
  }: FolderUploadState): endpoints.FolderUpload => ({
    id: record.id,
    path: record.path,
    name: record.name,
    files: record.files,
    bytes: record.bytes,
    arrivedFiles,
    arrivedBytes,
    began: record.beganAt,
    lastUsed: record.usedAt,
    expires: record.expiresAt,
    expiresSoon: isSoon(record.expiresAt),
  });

  const find = ({ userContext, requested, query }: UploadCall): LiveUpload => {
    if (query.upload !== undefined) return registry.byId(userContext, query.upload);
    const upload = registry.byPath(userContext, requested.path);
    if (upload === null) throw new AppError('not_found');
    return upload;
  };

  const begin = async (call: UploadCall): Promise<void> => {
    const { userContext, query, content, request, reply } = call;
    assertSupportedExtensions(request);
    const checksum = readChecksum(request);
    const lengthBytes = readCount(request, 'upload-length');
    const withPart = isTus(request) && isPart(request) && hasBody(request.raw);
    if (withPart && announcedLength(request.raw) > lengthBytes) throw new AppError('payload_too_large');
    const path = targetOf(call);
    const properties = isTus(request) ? propertiesIn(metadataHeader(request)) : null;
    const key = properties?.clientKey ?? null;
    const earlier = key === null ? null : registry.byKey(userContext, path, key);
    if (earlier !== null && earlier.record.lengthBytes === lengthBytes) {
      reply.header('location', locationOf(earlier, baseUrl));
      await uploads.resume(userContext, earlier);
      setUploadHeaders(reply, earlier);
      await reply.code(201).send();
      return;
    }
    const upload = await uploads.begin(userContext, {
      path,
      lengthBytes,
      overrides: query.override === 'true',
      isByPath: !isTus(request),
      ...properties,
    });
    reply.header('location', locationOf(upload, baseUrl));
    if (withPart) {
      const announcedBytes = announcedLength(request.raw);
      try {
        await uploads.append(userContext, upload, { offset: 0, content, announcedBytes, checksum });
      } catch (error) {
        // The response contains no address at which the client could continue the upload.
        if (isAppError(error, 'payload_too_large', 'checksum_mismatch')) {
          reply.removeHeader('location');
          await registry.drop(upload);
        }
        throw error;
      }
    }
    if (isTus(request)) setUploadHeaders(reply, upload);
    await reply.code(201).send();
  };

  const sendOffset = async (call: UploadCall): Promise<void> => {
    const upload = find(call);
    await uploads.resume(call.userContext, upload);
    if (upload.record.isByPath && upload.record.isFinished) throw new AppError('not_found');
    setUploadHeaders(call.reply, upload);
    call.reply.header('upload-length', String(upload.record.lengthBytes));
    await call.reply.code(200).send();
  };

  const append = async (call: UploadCall): Promise<void> => {
    const { userContext, content, request, reply } = call;
    if (call.requested.isFolderPath) throw new AppError('bad_request', 'a folder cannot be uploaded');
    if (!isPart(request)) {
      throw new AppError('unsupported_media_type', `send the part as ${endpoints.tusContentType}`);
    }
    assertSupportedExtensions(request);
    const checksum = readChecksum(request);
    const offset = readCount(request, 'upload-offset');
    const upload = find(call);
    const { lengthBytes } = upload.record;
    if (
      request.headers['upload-length'] !== undefined &&
      readCount(request, 'upload-length') !== lengthBytes
    ) {
      throw new AppError('bad_request', `Upload-Length: this upload has ${lengthBytes} bytes`);
    }
    const announcedBytes = announcedLength(request.raw);
    await uploads.append(userContext, upload, { offset, content, announcedBytes, checksum });
    setUploadHeaders(reply, upload);
    await reply.code(204).send();
  };

  const cancel = async (call: UploadCall): Promise<void> => {
    const { userContext, requested, query, reply } = call;
    if (query.upload === undefined && !userContext.user.perm.delete) throw new AppError('forbidden');
    if (requested.path === '/') throw new AppError('root_is_protected');
    await registry.drop(find(call));
    await reply.code(204).send();
  };

  // "The Tus-Resumable header MUST be included in every request and response" (tus 1.0, Headers), also in errors.
  app.addHook('onRequest', async (request, reply) => {
    if (isTus(request) && /^\/api\/tus(?:\/|$)/.test(rawPathOf(request.raw.url ?? '/'))) {
      reply.header('tus-resumable', endpoints.tusVersion);
    }
  });

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
        expiresSoon: isSoon(record.expiresAt),
        modified: record.modifiedMs,
        key: record.clientKey,
        folder: record.folder,
        state: record.blockedBy === null ? ('receiving' as const) : ('blocked' as const),
        reason: record.blockedBy,
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

  registerUserUploads(app, { route, registry, userContexts: parts.userContexts, clock });

  route(app, endpoints.compareUpload, async ({ userContext, params, query, request }) => {
    const upload = registry.byId(userContext, params.id);
    const chunks: Uint8Array[] = [];
    for await (const chunk of streamBody(request.raw, comparedTailBytes)) chunks.push(chunk);
    const isSame = await uploads.compare(userContext, upload, Number(query.offset), Buffer.concat(chunks));
    return { isSame };
  });

  route(app, endpoints.createFolderUpload, async ({ userContext, body }) =>
    presentFolder(await folders.create(userContext, { ...body, path: absolutePath(body.path).path })),
  );

  route(app, endpoints.listFolderUploads, async ({ userContext }) =>
    (await folders.listOf(userContext)).map(presentFolder),
  );

  route(app, endpoints.listArrivedFiles, async ({ userContext, params, query }) =>
    (await folders.filesOf(userContext, params.id, query.after ?? '')).map(
      ({ file, sizeBytes, modifiedMs }) => ({ file, size: sizeBytes, modified: modifiedMs }),
    ),
  );

  route(app, endpoints.discardFolderUpload, async ({ userContext, params, reply }) => {
    await folders.discard(userContext, params.id);
    for (const upload of registry.inFolder(userContext, params.id)) await registry.drop(upload);
    await reply.code(204).send();
    return undefined;
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
