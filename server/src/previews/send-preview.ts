import { createHash } from 'node:crypto';
import type { PreviewSize } from '@filestead/contract/previews';
import { type RequestedPath, extensionOf } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, isAppError } from '../errors.ts';
import { partyOf } from '../http/request/party-of.ts';
import { refuseActiveUse, sendFile } from '../http/files/send-file.ts';
import type { Party } from '../scheduling/party.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';
import type { MadePicture } from './decoder/decode-picture.ts';
import { maxOriginalThumbBytes, recipe } from './limits.ts';
import type { Wanted } from './make-preview.ts';
import { type Source, recognise, recognisedBytes } from './recognise.ts';
import { answeredWithoutPicture, sendPicture } from './send-picture.ts';

/** Who asks for a small picture of which file. */
export interface PreviewCall {
  /** As the caller may use it: whatever it refuses is not shown, however often others have seen it. */
  readonly storage: Storage;
  readonly requested: RequestedPath;
  readonly size: PreviewSize;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  readonly isInline: boolean;
}

/**
 * Answers with a small picture of a file, or with the file itself where that is what is shown (docs/reference/filebrowser-api.md §1.8). Throws
 * what opening the file throws, and `no_preview`, `broken_image`, `image_too_large`, `busy`, `precondition_failed`,
 * `range_not_satisfiable`.
 */
export type SendPreview = (call: PreviewCall) => Promise<void>;

/** Makes a picture or finds the one that is kept; the file is its own to close as soon as it says so. */
export type GetPicture = (
  job: {
    /** Names what is made, of which state of which file. */
    readonly key: string;
    readonly file: OpenFile;
    readonly source: Source;
    readonly wanted: Wanted;
  },
  caller: { readonly party: Party; readonly signal: AbortSignal },
  onTaken: () => void,
) => Promise<MadePicture>;

/** Which sizes are made at all; the others are answered with the file itself. */
export type MadeSizes = Readonly<Record<PreviewSize, boolean>>;

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

async function readHead(file: OpenFile): Promise<Buffer> {
  const head = Buffer.alloc(recognisedBytes);
  return head.subarray(0, await file.read(head, 0));
}

/**
 * Whether the client names forms of pictures that browsers show, as they do for a picture in a page. Scripts and programs
 * take anything; they get the form of the source.
 */
function isForBrowser(accept: string | undefined): boolean {
  return (
    accept !== undefined && /image\/(?:avif|jpeg|png|webp)/i.test(accept) && !/image\/tiff/i.test(accept)
  );
}

/** RAW files that scripts of existing pages decode themselves (docs/reference/filebrowser-api.md §8.6). */
const decodedByPages = new Set(['.dng', '.cr2', '.nef']);

/** Whether the file itself is the answer. */
function isOriginalShown(
  source: Source,
  file: OpenFile,
  { size, request, requested }: PreviewCall,
  made: MadeSizes,
): boolean {
  const { way } = source;
  if (way === 'none' || way === 'frame' || way === 'cover') return false;
  if (!made[size]) return true;
  if (way === 'original')
    return size === 'big' || source.kind === null || file.entry.size <= maxOriginalThumbBytes;
  const isScript = request.raw.headers['sec-fetch-dest'] === 'empty';
  const ending = extensionOf(requested.path).toLowerCase();
  return way === 'embedded' && size === 'big' && isScript && decodedByPages.has(ending);
}

/** What makes previews answer requests; `getPicture` is the part that takes time. */
export function createSendPreview(getPicture: GetPicture, made: MadeSizes): SendPreview {
  return async (call) => {
    const { storage, requested, size, request, reply, signal, isInline } = call;
    const file = await open(storage, requested);
    let isTaken = false;
    try {
      const source = recognise(requested.path, await readHead(file));
      if (isOriginalShown(source, file, call, made)) {
        await sendFile(request, reply, file, { name: requested.path, isInline });
        return;
      }
      if (source.way === 'none' || !made[size]) throw new AppError('no_preview');
      refuseActiveUse(request.raw.headers, 'image/jpeg');
      const wanted = { size, isForBrowser: isForBrowser(request.raw.headers.accept) };
      const key = [recipe, file.fingerprint, JSON.stringify(source), JSON.stringify(wanted)].join(' ');
      const version = {
        tag: `"${createHash('sha256').update(key).digest('hex').slice(0, 40)}"`,
        modifiedMs: Number(file.entry.modifiedNs / 1_000_000n),
      };
      const answer = { request, reply, version };
      if (answeredWithoutPicture(answer)) return;
      const picture = await getPicture(
        { key, file, source, wanted },
        { party: partyOf(request), signal },
        () => {
          isTaken = true;
        },
      );
      sendPicture(answer, picture, { name: requested.path, isInline });
    } finally {
      if (!isTaken) await file.close();
    }
  };
}
