import { errorFromWorker } from '../paths/errors.ts';
import type { Folder } from '../paths/folder.ts';
import type { Metadata } from '../paths/metadata.ts';
import type { EntryArrays } from '../../storage.ts';
import { namesOffset, type Outcome, outcomes, type Slot, word } from './ring-layout.ts';
import { folderOfShared, type SharedFolder } from './write-requests.ts';

/** The entries of a folder, in natural order, folders first. */
export interface ListedFolder extends EntryArrays {
  readonly names: string[];
  readonly folderCount: number;
}

/**
 * The result of a job. The caller closes the descriptor and the folder, which is null for the root of the scope. `unsuitable`
 * must be done without the ring. `named` is a file that was stored and has its name. `failed` is a file that could not be stored;
 * `isClean` means that its temporary name is free.
 */
export type RingOutcome =
  | { readonly kind: 'missing' | 'unsuitable' }
  | { readonly kind: 'entry' | 'named'; readonly metadata: Metadata }
  | { readonly kind: 'content'; readonly metadata: Metadata; readonly content: Buffer }
  | { readonly kind: 'descriptor'; readonly metadata: Metadata; readonly descriptor: number }
  | { readonly kind: 'folder'; readonly metadata: Metadata; readonly listed: ListedFolder }
  | { readonly kind: 'stored'; readonly metadata: Metadata; readonly folder: Folder | null }
  | { readonly kind: 'failed'; readonly error: unknown; readonly isClean: boolean }
  | { readonly kind: 'published' | 'exists' };

/** Joins the halves of a number of 128 bits. */
const wideOf = (high: bigint, low: bigint): bigint =>
  high === 0n && low >= 0n ? low : (high << 64n) + BigInt.asUintN(64, low);

const metadataOf = ({ metadata }: Slot): Metadata => ({
  dev: metadata[0] ?? 0n,
  ino: metadata[1] ?? 0n,
  size: metadata[2] ?? 0n,
  mtimeNs: wideOf(metadata[7] ?? 0n, metadata[3] ?? 0n),
  ctimeNs: metadata[4] ?? 0n,
  mode: metadata[5] ?? 0n,
  birthtimeNs: metadata[6] ?? 0n,
});

function listedOf({ words, data, listed }: Slot): ListedFolder {
  const count = words[word.entries] ?? 0;
  const text = data.toString('utf8', namesOffset, namesOffset + (words[word.nameLength] ?? 0));
  return {
    names: count === 0 ? [] : text.split('/'),
    folderCount: words[word.folders] ?? 0,
    sizes: new Float64Array(listed.sizes.subarray(0, count)),
    modifiedMs: new Float64Array(listed.modifiedMs.subarray(0, count)),
    modes: new Uint32Array(listed.modes.subarray(0, count)),
    kinds: new Uint8Array(listed.kinds.subarray(0, count)),
    links: new Uint8Array(listed.links.subarray(0, count)),
  };
}

function errorOf({ words, data }: Slot): unknown {
  const [code, message] = JSON.parse(data.toString('utf8', 0, words[word.length])) as [string, string];
  return errorFromWorker(code === '' ? undefined : code, message);
}

/** Copies the result of a job out of its slot. Throws the error of the job. */
export function readOutcome(slot: Slot): RingOutcome {
  const { words, data } = slot;
  const kind: Outcome = outcomes[words[word.outcome] ?? 0] ?? 'unsuitable';
  switch (kind) {
    case 'missing':
    case 'published':
    case 'exists':
    case 'unsuitable':
      return { kind };
    case 'entry':
    case 'named':
      return { kind, metadata: metadataOf(slot) };
    case 'content':
      return {
        kind,
        metadata: metadataOf(slot),
        content: Buffer.from(data.subarray(0, words[word.length])),
      };
    case 'descriptor':
      return { kind, metadata: metadataOf(slot), descriptor: words[word.descriptor] ?? -1 };
    case 'folder':
      return { kind, metadata: metadataOf(slot), listed: listedOf(slot) };
    case 'stored': {
      const folder = JSON.parse(data.toString('utf8', 0, words[word.length])) as SharedFolder | null;
      return { kind, metadata: metadataOf(slot), folder: folder && folderOfShared(folder) };
    }
    case 'failed':
      return { kind, error: errorOf(slot), isClean: words[word.entries] === 1 };
    case 'error':
      throw errorOf(slot);
  }
}
