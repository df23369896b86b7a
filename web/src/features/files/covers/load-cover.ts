import { findFiles, type FindResult, type FindRow } from '@filestead/contract/endpoints/find';
import { nameOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { isCatalogueOn, recordCatalogueOff } from '../../../api/catalogue.ts';
import type { FileIconKind } from '../../../ui/names/file-icon.tsx';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { onFilesChange } from '../entries/changes.ts';
import { pictureAddress } from '../entries/picture-address.ts';

/** The content of a folder's cover: its latest pictures, or without pictures the kinds of its latest files. */
export interface Cover {
  /** The addresses of thumbnails. */
  readonly pictures: readonly string[];
  readonly slips: readonly FileIconKind[];
}

export const emptyCover: Cover = { pictures: [], slips: [] };

/** The number of pictures or files that a cover shows. */
const shownInCover = 3;
/** The time for which a cover is kept, in ms. */
const keptMs = 60_000;
const maxKept = 200;

const kept = new Map<VirtualPath, { readonly cover: Cover; readonly atMs: number }>();
onFilesChange(() => kept.clear());

/** The covers are loaded one after the other: a folder may contain many folders, and each searches a part of the catalogue. */
let last: Promise<unknown> = Promise.resolve();

/** Loads the cover of a folder; an empty one if that fails. */
export function loadCover(folder: VirtualPath, signal: AbortSignal): Promise<Cover> {
  const loading = last.then(() => loadNow(folder, signal)).catch(() => emptyCover);
  last = loading;
  return loading;
}

async function loadNow(folder: VirtualPath, signal: AbortSignal): Promise<Cover> {
  const known = kept.get(folder);
  if (known !== undefined && performance.now() - known.atMs < keptMs) return known.cover;
  if (signal.aborted || !isCatalogueOn()) return emptyCover;
  const pictures = picturesOf(folder, await findLatest(folder, 'type:image', signal));
  const files = pictures.length > 0 ? [] : await findLatest(folder, 'kind:file', signal);
  const cover = { pictures: pictures.map(({ url }) => url), slips: files.map(kindOf) };
  if (kept.size >= maxKept) kept.clear();
  kept.set(folder, { cover, atMs: performance.now() });
  return cover;
}

async function findLatest(
  folder: VirtualPath,
  query: string,
  signal: AbortSignal,
): Promise<readonly FindRow[]> {
  try {
    const { rows }: FindResult = await call(findFiles, {
      path: folder,
      query: { query, sort: 'modified', limit: String(shownInCover) },
      signal,
    });
    return rows;
  } catch (error) {
    recordCatalogueOff(error);
    throw error;
  }
}

const kindOf = ({ path, type }: FindRow): FileIconKind =>
  fileKind({ name: nameOf(`/${path}` as VirtualPath), type, isFolder: false });

/** Returns found pictures below a folder with the addresses of their thumbnails, square ones for a list or whole ones for photos. */
export const picturesOf = <Row extends FindRow>(
  folder: VirtualPath,
  rows: readonly Row[],
  view: 'list' | 'mosaic gallery' = 'list',
) =>
  rows.flatMap((row) => {
    const { path, size, modified, type } = row;
    const full = `${folder === rootPath ? '' : folder}/${path}` as VirtualPath;
    const entry = { path: full, name: nameOf(full), type, size: size ?? 0, modifiedMs: Date.parse(modified) };
    const url = pictureAddress(entry, view, true);
    return url === null ? [] : [{ ...row, ...entry, url }];
  });
