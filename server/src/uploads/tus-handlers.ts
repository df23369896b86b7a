import { tusContentType } from '@filestead/contract/endpoints/resumable-uploads';
import type { RequestedPath, VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { announcedLength, hasBody } from '../http/request/request-body.ts';
import type { LiveUpload } from './live-upload.ts';
import {
  setUploadHeaders,
  isPart,
  isTus,
  locationOf,
  metadataHeader,
  readChecksum,
  readCount,
  assertSupportedExtensions,
} from './tus-headers.ts';
import { fileNamedBy, parseMetadata, propertiesIn } from './upload-metadata.ts';
import type { Uploads } from './uploads.ts';

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

type Handler = (call: UploadCall) => Promise<void>;

/** The requests of the tus protocol. */
interface TusHandlers {
  /** Begins an upload, with its first part if the request has one; an unfinished upload with the same key is continued instead. */
  readonly begin: Handler;
  /** Sends how many bytes of an upload have arrived. */
  readonly sendOffset: Handler;
  /** Appends a part to an upload. */
  readonly append: Handler;
  /** Cancels an upload and removes the bytes received so far. */
  readonly cancel: Handler;
}

/** Creates the handlers of the requests of the tus protocol, for both of its dialects. */
export function openTusHandlers(uploads: Uploads, baseUrl: string): TusHandlers {
  const { registry } = uploads;
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
      throw new AppError('unsupported_media_type', `send the part as ${tusContentType}`);
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

  return { begin, sendOffset, append, cancel };
}
