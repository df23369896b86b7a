import { type EntryType, checksumAlgorithms } from '@filestead/contract/files';
import { maxTextBytes } from '@filestead/contract/values/limits';
import { type RequestedPath, extensionOf, nameOf } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { entityTagOf } from '../../http/files/entity-tag.ts';
import { sniffedBytes } from '../../media-types/media-type.ts';
import type { Party } from '../../scheduling/party.ts';
import { checksum } from '../../storage/checksums/checksum.ts';
import type { Entry, FolderListing, OpenFile, Storage } from '../../storage/storage.ts';
import { listedTypeIndex, openedType, typeAt } from './entry-type.ts';
import { collectSubtitles } from '../subtitles/collect-subtitles.ts';
import type { Appearance } from './present-entry.ts';
import { readUpTo } from '../read-up-to.ts';
import { fileAsJson, type TextContent } from './resource-json.ts';
import { encodingOf } from '../../media-types/text-encoding.ts';

/** A request for a file's details or a folder's listing. */
export interface ReadResource extends Appearance {
  readonly requested: RequestedPath;
  /** Name of a checksum algorithm, or empty. */
  readonly checksum: string;
  readonly canDownload: boolean;
  readonly canModify: boolean;
  /** If false, the text of a text file is omitted. The default is true. */
  readonly withContent?: boolean;
  /** Return a text file open, for its bytes. */
  readonly asBytes?: boolean;
  /** The party on whose behalf the checksum waits in the queue. */
  readonly party: Party;
  readonly signal: AbortSignal;
}

/** The listing of a folder, the details of a file as chunks of JSON with its entity tag, or an open text file. */
export type ReadResult =
  | { readonly kind: 'folder'; readonly listing: FolderListing }
  | { readonly kind: 'file'; readonly entityTag: string | null; readonly json: AsyncGenerator<string> }
  | {
      readonly kind: 'bytes';
      /** Has to be closed by the caller. */
      readonly file: OpenFile;
    };

/**
 * Reads the file or folder at a path; a trailing slash is ignored for files. Throws `not_found`, `forbidden`,
 * `unsupported_checksum`, `special_file`, `external_link`, `too_many_requests` (checksums).
 */
export async function readResource(storage: Storage, request: ReadResource): Promise<ReadResult> {
  const { requested, canDownload, signal } = request;
  const found = await storage.statOrList(requested.path, { signal });
  if (found === null) throw new AppError('not_found');
  const { entry, listing } = found;
  if (listing !== null) return { kind: 'folder', listing };
  if (request.checksum !== '') {
    if (!canDownload) throw new AppError('forbidden');
    const algorithm = checksumAlgorithms.find((known) => known === request.checksum);
    if (algorithm === undefined) throw new AppError('unsupported_checksum');
    return readWithFile(storage, request, async (file) => {
      const type = shownType(await typeOf(file, requested), request, null);
      const checksums = { [algorithm]: await checksum(file, algorithm, { party: request.party, signal }) };
      return fileAsJson(requested, { entry: file.entry, type, checksums }, request);
    });
  }
  if (request.asBytes === true && !canDownload) throw new AppError('forbidden');
  if (entry.kind === 'special' || (entry.kind === 'file' && !canDownload)) {
    const type = shownType(typeByName(entry, requested), request, null);
    const subtitles = await subtitlesOf(storage, request, type);
    return {
      kind: 'file',
      entityTag: null,
      json: fileAsJson(requested, { entry, type, subtitles }, request),
    };
  }
  if (request.asBytes === true) return readAsBytes(storage, request);
  // Opening a link that cannot be followed throws the specific error.
  return readWithFile(storage, request, (file) => describeFile(storage, file, request));
}

const typeByName = (entry: Entry, { path }: RequestedPath): EntryType =>
  typeAt(listedTypeIndex(entry.kind, extensionOf(nameOf(path)), entry.size));

/** Returns the type of an open file by its name and its beginning. */
async function typeOf(file: OpenFile, { path }: RequestedPath): Promise<EntryType> {
  const head = await readUpTo(file, sniffedBytes);
  return openedType(extensionOf(nameOf(path)), file.entry.size, head);
}

/**
 * Returns the type for the response. Text is `textImmutable` if the user may not modify it, or if saving it as UTF-8 would
 * not restore its bytes.
 */
function shownType(type: EntryType, { canModify }: ReadResource, content: TextContent | null): EntryType {
  const isEditable = canModify && content?.encoding.isFaithful !== false;
  return type === 'text' && !isEditable ? 'textImmutable' : type;
}

async function readWithFile(
  storage: Storage,
  { requested }: ReadResource,
  describe: (file: OpenFile) => Promise<AsyncGenerator<string>>,
): Promise<ReadResult> {
  const file = await storage.openFile(requested.path, { prefersContent: true });
  try {
    const json = await describe(file);
    return { kind: 'file', entityTag: entityTagOf(file.entry), json };
  } finally {
    await file.close();
  }
}

async function describeFile(
  storage: Storage,
  file: OpenFile,
  request: ReadResource,
): Promise<AsyncGenerator<string>> {
  const { requested } = request;
  const openType = await typeOf(file, requested);
  const content = openType === 'text' && request.withContent !== false ? await readText(file) : undefined;
  const type = shownType(openType, request, content ?? null);
  const subtitles = await subtitlesOf(storage, request, type);
  return fileAsJson(requested, { entry: file.entry, type, subtitles, content }, request);
}

async function readText(file: OpenFile): Promise<TextContent> {
  const bytes = await readUpTo(file, Math.min(file.entry.size, maxTextBytes));
  return { bytes, encoding: await encodingOf(bytes) };
}

/** Returns a text file open, and the details of any other file (docs/reference/filebrowser-api.md §6.4). */
async function readAsBytes(storage: Storage, request: ReadResource): Promise<ReadResult> {
  const file = await storage.openFile(request.requested.path, { prefersContent: true });
  let isReturned = false;
  try {
    if ((await typeOf(file, request.requested)) === 'text') {
      isReturned = true;
      return { kind: 'bytes', file };
    }
    return {
      kind: 'file',
      entityTag: entityTagOf(file.entry),
      json: await describeFile(storage, file, request),
    };
  } finally {
    if (!isReturned) await file.close();
  }
}

const subtitlesOf = async (
  storage: Storage,
  { requested, shownPath, signal }: ReadResource,
  type: EntryType,
): Promise<readonly string[]> =>
  type === 'video' && shownPath === undefined ? collectSubtitles(storage, requested.path, signal) : [];
