import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { type EntryType, checksumAlgorithms } from '@filestead/contract/files';
import { type RequestedPath, extensionOf, nameOf, parentOf } from '@filestead/contract/virtual-path';
import { AppError, isAppError } from '../http/app-error.ts';
import { entityTagOf } from '../http/entity-tag.ts';
import { sniffedBytes } from '../http/media-type.ts';
import type { Entry, FolderListing, OpenFile, Storage } from '../storage/storage.ts';
import { listedTypeIndex, openedType, typeAt } from './entry-type.ts';
import { createSubtitleFinder } from './find-subtitles.ts';
import { type Appearance, presentEntry } from './present-entry.ts';

/** What a request for a file's details asks for. */
export interface ReadResource extends Appearance {
  readonly requested: RequestedPath;
  /** Name of an algorithm; empty for none. */
  readonly checksum: string;
  readonly canDownload: boolean;
  readonly canModify: boolean;
  /** The text of a text file is told unless this is false. */
  readonly withContent?: boolean;
  readonly signal: AbortSignal;
}

/** A folder being listed, or a file's details as pieces of JSON with the version they describe. */
export type ReadResult =
  | { readonly kind: 'folder'; readonly listing: FolderListing }
  | { readonly kind: 'file'; readonly entityTag: string | null; readonly json: AsyncGenerator<string> };

/**
 * Reads what is at a path. Throws `not_found`, `not_a_folder` (a trailing slash after a file), `forbidden`,
 * `unsupported_checksum`, `special_file`, `external_link`.
 */
export async function readResource(storage: Storage, request: ReadResource): Promise<ReadResult> {
  const { requested, signal } = request;
  const entry = await storage.stat(requested.path);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'folder') {
    return { kind: 'folder', listing: await storage.list(requested.path, { signal }) };
  }
  if (requested.isFolderPath) throw new AppError('not_a_folder');
  if (request.checksum !== '') {
    if (!request.canDownload) throw new AppError('forbidden');
    const algorithm = checksumAlgorithms.find((known) => known === request.checksum);
    if (algorithm === undefined) throw new AppError('unsupported_checksum');
    return readWithFile(storage, request, (file) => describeChecksum(file, request, algorithm));
  }
  if (entry.kind === 'special' || (entry.kind === 'file' && !request.canDownload)) {
    const type = typeByName(entry, request);
    const subtitles = await subtitlesOf(storage, request, type);
    return { kind: 'file', entityTag: null, json: inPieces(request, entry, type, { subtitles }) };
  }
  // A link that cannot be followed says why when it is opened.
  return readWithFile(storage, request, (file) => describeFile(storage, file, request));
}

function typeByName(entry: Entry, { requested, canModify }: ReadResource): EntryType {
  const type = typeAt(listedTypeIndex(entry.kind, extensionOf(nameOf(requested.path)), entry.size));
  return type === 'text' && !canModify ? 'textImmutable' : type;
}

async function readWithFile(
  storage: Storage,
  { requested }: ReadResource,
  describe: (file: OpenFile) => Promise<AsyncGenerator<string>>,
): Promise<ReadResult> {
  const file = await storage.openFile(requested.path);
  try {
    const json = await describe(file);
    return { kind: 'file', entityTag: entityTagOf(file.entry), json };
  } finally {
    await file.close();
  }
}

/** What is known of a file besides its entry. */
interface Details {
  readonly subtitles?: readonly string[];
  readonly content?: Uint8Array;
  readonly checksums?: Readonly<Record<string, string>>;
}

/** So many bytes of a text are written as JSON at a time; about 1 ms. */
const contentStepBytes = 256 * 1024;

async function* inPieces(
  request: ReadResource,
  entry: Entry,
  type: EntryType,
  { subtitles = [], content, checksums }: Details,
): AsyncGenerator<string> {
  yield JSON.stringify(presentEntry(request.requested, entry, type, request)).slice(0, -1);
  if (subtitles.length > 0) yield `,"subtitles":${JSON.stringify(subtitles)}`;
  if (content !== undefined && content.length > 0) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    yield ',"content":"';
    for (let start = 0; start < content.length; start += contentStepBytes) {
      const step = content.subarray(start, start + contentStepBytes);
      yield JSON.stringify(decoder.decode(step, { stream: true })).slice(1, -1);
    }
    yield `${JSON.stringify(decoder.decode()).slice(1, -1)}"`;
  }
  if (checksums) yield `,"checksums":${JSON.stringify(checksums)}`;
  if (request.token !== undefined) yield `,"token":${JSON.stringify(request.token)}`;
  yield '}';
}

async function describeChecksum(
  file: OpenFile,
  request: ReadResource,
  algorithm: (typeof checksumAlgorithms)[number],
): Promise<AsyncGenerator<string>> {
  const head = await readFrom(file, sniffedBytes);
  const hash = createHash(algorithm);
  const buffer = Buffer.allocUnsafe(contentStepBytes);
  for (let position = 0; ;) {
    request.signal.throwIfAborted();
    const read = await file.read(buffer, position);
    if (read === 0) break;
    hash.update(buffer.subarray(0, read));
    position += read;
  }
  const checksums = { [algorithm]: hash.digest('hex') };
  return inPieces(request, file.entry, shownType(file.entry, request, head, null), { checksums });
}

async function describeFile(
  storage: Storage,
  file: OpenFile,
  request: ReadResource,
): Promise<AsyncGenerator<string>> {
  const head = await readFrom(file, Math.min(sniffedBytes, file.entry.size));
  const name = nameOf(request.requested.path);
  const isText = openedType(extensionOf(name), file.entry.size, head) === 'text';
  const tellsContent = isText && request.withContent !== false;
  const content =
    tellsContent && file.entry.size > head.length
      ? await readFrom(file, file.entry.size)
      : tellsContent
        ? head
        : undefined;
  const type = shownType(file.entry, request, head, content ?? null);
  const subtitles = await subtitlesOf(storage, request, type);
  return inPieces(request, file.entry, type, { subtitles, ...(content ? { content } : {}) });
}

/**
 * The type of an opened file. Text is `textImmutable` for users who may not change it, and where saving it would destroy
 * it: bytes that are not UTF-8 cannot come back as they were.
 */
function shownType(
  entry: Entry,
  { requested, canModify }: ReadResource,
  head: Uint8Array,
  content: Uint8Array | null,
): EntryType {
  const type = openedType(extensionOf(nameOf(requested.path)), entry.size, head);
  const isEditable = canModify && (content === null || isUtf8(content));
  return type === 'text' && !isEditable ? 'textImmutable' : type;
}

/** The first `length` bytes of a file, or fewer when it ends before. */
async function readFrom(file: OpenFile, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = await file.read(buffer.subarray(filled), filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** The virtual paths of the subtitles beside a video; none where the folder may not be listed. */
async function subtitlesOf(
  storage: Storage,
  { requested, shownPath, signal }: ReadResource,
  type: EntryType,
): Promise<string[]> {
  if (type !== 'video' || shownPath !== undefined) return [];
  const folder = parentOf(requested.path);
  const leaving = new AbortController();
  try {
    const { names, folderCount } = await storage.list(folder, {
      signal: AbortSignal.any([signal, leaving.signal]),
    });
    const find = createSubtitleFinder(names, folderCount);
    return find(nameOf(requested.path)).map((name) => (folder === '/' ? `/${name}` : `${folder}/${name}`));
  } catch (error) {
    if (isAppError(error, 'forbidden', 'not_found')) return [];
    throw error;
  } finally {
    leaving.abort(); // only the names were wanted
  }
}
