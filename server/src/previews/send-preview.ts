import { createHash } from 'node:crypto';
import type { PreviewSize } from '@filestead/contract/previews';
import { type RequestedPath, extensionOf } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, isAppError } from '../errors.ts';
import { partyOf } from '../http/request/party-of.ts';
import { refuseActiveUse, sendFile } from '../http/files/send-file.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Party } from '../scheduling/party.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';
import type { EncodedPicture } from './decoder/decode-picture.ts';
import { maxOriginalThumbBytes, recipe } from './limits.ts';
import type { PreviewVariant } from './make-preview.ts';
import { type Source, recognize, recognizedBytes } from './recognize.ts';
import { sendIfNotModified, sendPicture } from './send-picture.ts';

/** A request for the preview of a file. */
export interface PreviewCall {
  /** Restricted to the user or visitor. The file is opened even for a cached preview, so that denied files stay denied. */
  readonly storage: Storage;
  readonly requested: RequestedPath;
  readonly size: PreviewSize;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Returns the signal of the request, which only a preview that is made needs. */
  readonly getSignal: () => AbortSignal;
  readonly isInline: boolean;
  /** Whether the address names the state of the file, so that browsers may remember that it has no preview. */
  readonly hasKey?: boolean;
}

/**
 * Sends a preview of a file, or the file itself where browsers show that (docs/reference/filebrowser-api.md §1.8).
 * Throws the errors of opening the file, and `no_preview`, `broken_image`, `image_too_large`, `busy`,
 * `precondition_failed`, `range_not_satisfiable`.
 */
export type SendPreview = (call: PreviewCall) => Promise<void>;

/** Returns the cached picture or makes it. Takes ownership of the open file when it calls `onHandedOver`. */
export type GetPicture = (
  job: {
    /** Identifies the preview and the state of the file. */
    readonly key: string;
    readonly file: OpenFile;
    readonly source: Source;
    readonly variant: PreviewVariant;
  },
  requester: { readonly party: Party; readonly getSignal: () => AbortSignal },
  onHandedOver: () => void,
) => Promise<EncodedPicture>;

/** The sizes for which previews are made. For the others the file itself is sent. */
export type GeneratedSizes = Readonly<Record<PreviewSize, boolean>>;

async function open(storage: Storage, { path, isFolderPath }: RequestedPath): Promise<OpenFile> {
  if (isFolderPath) {
    const entry = await storage.stat(path);
    if (entry === null) throw new AppError('not_found');
    if (entry.kind === 'folder') throw new AppError('no_preview');
  }
  try {
    return await storage.openFile(path);
  } catch (error) {
    if (isAppError(error, 'is_folder')) throw new AppError('no_preview', undefined, { cause: error });
    throw error;
  }
}

/** For how long browsers remember that a file in its current state has no preview, in seconds. */
const failureMaxAgeSeconds = 24 * 60 * 60;

/** Maximum number of files whose source is remembered. */
const maxRememberedSources = 5_000;

/** Returns a function that determines the source of a file by its name and beginning, and remembers it until the file changes. */
function createRecognize(): (path: string, file: OpenFile) => Promise<Source> {
  const sources = new LimitedMap<string, Source>(maxRememberedSources);
  return async (path, file) => {
    const key = `${file.fingerprint} ${extensionOf(path)}`;
    const remembered = sources.get(key);
    if (remembered !== undefined) return remembered;
    const head = Buffer.alloc(recognizedBytes);
    const source = recognize(path, head.subarray(0, await file.read(head, 0)));
    sources.set(key, source);
    return source;
  };
}

/**
 * Whether the client explicitly accepts image formats, as browsers do for pictures in a page. Scripts and programs
 * accept anything and get the format of the source.
 */
function isForBrowser(accept: string | undefined): boolean {
  return (
    accept !== undefined && /image\/(?:avif|jpeg|png|webp)/i.test(accept) && !/image\/tiff/i.test(accept)
  );
}

/** RAW formats that the scripts of existing clients decode (docs/reference/filebrowser-api.md §8.6). */
const decodedByPages = new Set(['.dng', '.cr2', '.nef']);

/** Whether the file itself is sent. */
function isOriginalShown(
  source: Source,
  file: OpenFile,
  { size, request, requested }: PreviewCall,
  generatedSizes: GeneratedSizes,
): boolean {
  const { way } = source;
  if (way === 'none' || way === 'frame' || way === 'cover') return false;
  if (!generatedSizes[size]) return true;
  if (way === 'original')
    return size === 'big' || source.kind === null || file.entry.size <= maxOriginalThumbBytes;
  const isScript = request.raw.headers['sec-fetch-dest'] === 'empty';
  const extension = extensionOf(requested.path).toLowerCase();
  return way === 'embedded' && size === 'big' && isScript && decodedByPages.has(extension);
}

/** Returns the function that handles preview requests. `getPicture` does the expensive part. */
export function createSendPreview(getPicture: GetPicture, generatedSizes: GeneratedSizes): SendPreview {
  const sourceOf = createRecognize();
  return async (call) => {
    const { storage, requested, size, request, reply, getSignal, isInline, hasKey } = call;
    const file = await open(storage, requested);
    let isHandedOver = false;
    try {
      const source = await sourceOf(requested.path, file);
      if (isOriginalShown(source, file, call, generatedSizes)) {
        await sendFile(request, reply, file, { name: requested.path, isInline });
        return;
      }
      if (source.way === 'none' || !generatedSizes[size]) throw new AppError('no_preview');
      refuseActiveUse(request.raw.headers, 'image/jpeg');
      const variant = { size, isForBrowser: isForBrowser(request.raw.headers.accept) };
      const key = [recipe, file.fingerprint, JSON.stringify(source), JSON.stringify(variant)].join(' ');
      const validators = {
        tag: `"${createHash('sha256').update(key).digest('hex').slice(0, 40)}"`,
        modifiedMs: Number(file.entry.modifiedNs / 1_000_000n),
      };
      const response = { request, reply, validators };
      if (sendIfNotModified(response)) return;
      const picture = await getPicture(
        { key, file, source, variant },
        { party: partyOf(request), getSignal },
        () => {
          isHandedOver = true;
        },
      );
      sendPicture(response, picture, { name: requested.path, isInline });
    } catch (error) {
      // An address with the key of the file's state never has a picture later.
      if (hasKey !== true || !isAppError(error, 'no_preview', 'broken_image', 'image_too_large')) throw error;
      // The same error may also answer requests without a key.
      const lasting = new AppError(error.code, error.message, { cause: error });
      lasting.maxAgeSeconds = failureMaxAgeSeconds;
      throw lasting;
    } finally {
      if (!isHandedOver) await file.close();
    }
  };
}
