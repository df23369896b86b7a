import { type ListingEnd, type ListingHeader, entryTypes } from '@filestead/contract/files';
import type { Sorting } from '@filestead/contract/users';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { EntryBatch, FolderListing } from '../../storage/storage.ts';
import { type WriteEntry, createItemWriter, isFolderAt, writeRow } from './entry-text.ts';
import { createSubtitleFinder } from '../subtitles/find-subtitles.ts';
import { formatModified } from '../../format-time.ts';
import { collectEntries, orderEntries } from './order-entries.ts';
import {
  type Appearance,
  trailingProperties,
  modifiedMsOf,
  presentEntry,
  responseNameOf,
  responsePathOf,
} from './present-entry.ts';

/** Entries per chunk; serializing a chunk takes about 1 ms. */
const entriesAtOnce = 500;

/** The numbers of entries that were written. */
interface Written {
  folders: number;
  files: number;
}

/** Serializes entries in the given order, in chunks, with `separator` between entries. Counts them in `written`. */
function* writeEntries(
  entries: EntryBatch,
  names: readonly string[],
  order: Uint32Array | null,
  write: WriteEntry,
  separator: string,
  written: Written,
): Generator<string> {
  for (let start = 0; start < entries.count; start += entriesAtOnce) {
    const end = Math.min(start + entriesAtOnce, entries.count);
    let text = '';
    for (let index = start; index < end; index++) {
      const offset = order === null ? index : (order[index] ?? index);
      const entryText = write(entries, offset, names[entries.first + offset] ?? '');
      if (entryText === null) continue;
      text += written.folders + written.files === 0 ? entryText : separator + entryText;
      if (isFolderAt(entries, offset)) written.folders += 1;
      else written.files += 1;
    }
    yield text;
  }
}

/** Serializes the entries of a listing: in natural order while they are read, or in another order after all were read. */
async function* writeListing(
  listing: FolderListing,
  sorting: Sorting | null,
  write: WriteEntry,
  separator: string,
  written: Written,
): AsyncGenerator<string> {
  const { names, folderCount } = listing;
  if (sorting === null || (sorting.by === 'name' && !sorting.asc)) {
    for await (const batch of listing.batches()) {
      yield* writeEntries(batch, names, null, write, separator, written);
    }
    return;
  }
  const entries = await collectEntries(listing);
  const order = await orderEntries(entries, names, folderCount, sorting);
  yield* writeEntries(entries, names, order, write, separator, written);
}

/** The properties of a listing's response beside the entries. */
export interface ListingContext extends Appearance {
  readonly requested: RequestedPath;
  /** The sorting that the user has saved. */
  readonly sorting: Sorting;
}

/** Serializes a folder as the JSON of docs/reference/filebrowser-api.md §1.5, in chunks, in the user's sorting. */
export async function* folderAsJson(listing: FolderListing, context: ListingContext): AsyncGenerator<string> {
  const { requested, sorting } = context;
  const findSubtitles = createSubtitleFinder(listing.names, listing.folderCount);
  const write = createItemWriter(requested.path, findSubtitles);
  const written: Written = { folders: 0, files: 0 };
  yield '{"items":[';
  yield* writeListing(listing, sorting, write, ',', written);
  const shown = presentEntry(requested, listing.folder, '', context);
  const metadata = JSON.stringify({ ...shown, ...trailingProperties(context) });
  yield `],"numDirs":${written.folders},"numFiles":${written.files},"sorting":${sortingText(sorting)},${metadata.slice(1)}`;
}

const sortingText = ({ by, asc }: Sorting): string => JSON.stringify({ by, asc });

/** Serializes a folder as NDJSON: header, one row per entry in natural order, end. */
export async function* folderAsRows(listing: FolderListing, context: ListingContext): AsyncGenerator<string> {
  const { requested, sorting } = context;
  const { folder, names, folderCount } = listing;
  const header: ListingHeader = {
    path: responsePathOf(requested, context),
    name: responseNameOf(requested, context),
    modified: formatModified(modifiedMsOf(folder)),
    numDirs: folderCount,
    numFiles: names.length - folderCount,
    sorting: { by: sorting.by, asc: sorting.asc },
    ...(context.version === undefined ? {} : { version: context.version }),
    types: entryTypes,
    ...trailingProperties(context),
  };
  yield `${JSON.stringify(header)}\n`;
  const written: Written = { folders: 0, files: 0 };
  yield* writeListing(listing, null, writeRow, '', written);
  const end: ListingEnd = { end: true, numDirs: written.folders, numFiles: written.files };
  yield `${JSON.stringify(end)}\n`;
}
