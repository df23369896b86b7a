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
import { gatherSubtitles } from '../subtitles/gather-subtitles.ts';
import type { Appearance } from './present-entry.ts';
import { readUpTo } from '../read-up-to.ts';
import { fileAsJson, type TextContent } from './resource-json.ts';
import { encodingOf } from '../text-encoding.ts';

/** What a request for a file's details asks for. */
export interface ReadResource extends Appearance {
  readonly requested: RequestedPath;
  /** Name of an algorithm; empty for none. */
  readonly checksum: string;
  readonly canDownload: boolean;
  readonly canModify: boolean;
  /** The text of a text file is told unless this is false. */
  readonly withContent?: boolean;
  /** A text file is wanted as the bytes that it is. */
  readonly asBytes?: boolean;
  /** Takes its turns with the checksums of others. */
  readonly party: Party;
  readonly signal: AbortSignal;
}

/** A folder being listed, a file's details as pieces of JSON with the version they describe, or an open text file. */
export type ReadResult =
  | { readonly kind: 'folder'; readonly listing: FolderListing }
  | { readonly kind: 'file'; readonly entityTag: string | null; readonly json: AsyncGenerator<string> }
  | {
      readonly kind: 'bytes';
      /** To be closed by whoever asked. */
      readonly file: OpenFile;
    };

/**
 * Reads what is at a path; a slash behind a file makes no difference. Throws `not_found`, `forbidden`, `unsupported_checksum`,
 * `special_file`, `external_link`, `too_many_requests` (checksums).
 */
export async function readResource(storage: Storage, request: ReadResource): Promise<ReadResult> {
  const { requested, canDownload, signal } = request;
  const entry = await storage.stat(requested.path);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'folder') {
    return { kind: 'folder', listing: await storage.list(requested.path, { signal }) };
  }
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
  // A link that cannot be followed says why when it is opened.
  return readWithFile(storage, request, (file) => describeFile(storage, file, request));
}

const typeByName = (entry: Entry, { path }: RequestedPath): EntryType =>
  typeAt(listedTypeIndex(entry.kind, extensionOf(nameOf(path)), entry.size));

/** The type of an open file by its name and its beginning. */
async function typeOf(file: OpenFile, { path }: RequestedPath): Promise<EntryType> {
  const head = await readUpTo(file, sniffedBytes);
  return openedType(extensionOf(nameOf(path)), file.entry.size, head);
}

/**
 * Text is `textImmutable` for users who may not change it, and where saving it would destroy it: bytes that are not UTF-8
 * cannot come back as they were.
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
  const file = await storage.openFile(requested.path);
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
  return { bytes, encoding: encodingOf(bytes) };
}

/** A text file as bytes; everything else as its details (docs/reference/filebrowser-api.md §6.4). */
async function readAsBytes(storage: Storage, request: ReadResource): Promise<ReadResult> {
  const file = await storage.openFile(request.requested.path);
  let isKept = false;
  try {
    if ((await typeOf(file, request.requested)) === 'text') {
      isKept = true;
      return { kind: 'bytes', file };
    }
    return {
      kind: 'file',
      entityTag: entityTagOf(file.entry),
      json: await describeFile(storage, file, request),
    };
  } finally {
    if (!isKept) await file.close();
  }
}

const subtitlesOf = async (
  storage: Storage,
  { requested, shownPath, signal }: ReadResource,
  type: EntryType,
): Promise<readonly string[]> =>
  type === 'video' && shownPath === undefined ? gatherSubtitles(storage, requested.path, signal) : [];
