import { isAtOrBelow, segmentsOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { AppError } from '../../http/app-error.ts';
import type { TransferOptions } from '../storage.ts';
import type { Disk } from './disk.ts';
import { liesIn, mustNotBeRoot } from './disk.ts';
import { type Folder, identityOf, isSame } from './folder.ts';
import { leave, locate, type LocateOptions, type Spot } from './locate.ts';
import { look } from './publish.ts';
import { findEntry } from './read-entry.ts';
import { runAsync } from './steps.ts';

/** The two ends of a move or copy. Folders of both are held open. */
export interface Ends {
  readonly from: Spot;
  readonly to: Spot;
  /** What the destination is to a user, a link counting as what it leads to; null when nothing is there. */
  readonly toKind: 'folder' | 'other' | null;
}

/** What the name at the real place `names` in `folder` is to a user; a link counts as what it leads to. */
export async function kindAt(disk: Disk, folder: Folder, names: readonly string[]): Promise<Ends['toKind']> {
  const name = names.at(-1) ?? '';
  const stats = await look(folder, name);
  if (stats === null) return null;
  if (stats.isDirectory()) return 'folder';
  if (!stats.isSymbolicLink()) return 'other';
  // The place of a link is all that matters here, so its target needs no leave to be looked at.
  const found = await runAsync(findEntry({ ...disk.area, admit: undefined }, names));
  return found?.entry.kind === 'folder' ? 'folder' : 'other';
}

/**
 * Walks to both ends and refuses what cannot be: a missing source, the root, a folder that would hold itself, and an
 * existing destination unless a file may replace a file or folders may be merged. `work` calls `begin` once, when nothing
 * speaks against it any more: that asks `beforeChange`, makes the folders that are missing, and gives the ends to work on.
 */
export async function withEnds<T>(
  disk: Disk,
  from: VirtualPath,
  to: VirtualPath,
  options: TransferOptions & { followSource: boolean },
  work: (ends: Ends, begin: () => Promise<Ends>) => Promise<T>,
): Promise<T> {
  const { area } = disk;
  const source = await runAsync(
    locate(area, segmentsOf(from), { leaf: options.followSource ? 'follow' : 'keep' }),
  );
  try {
    if (segmentsOf(from).length === 0 || segmentsOf(to).length === 0) throw new AppError('root_is_protected');
    mustNotBeRoot(source);
    if (source.stats === null) throw new AppError('not_found');
    if (from !== to && isAtOrBelow(to, from)) throw new AppError('moves_into_itself');
    return await withTarget(disk, source, to, options, async (ends) => {
      let finish: (() => void) | undefined;
      const begin = async (): Promise<Ends> => {
        await options.beforeChange?.();
        if (!ends.to.lacksParents) return ends;
        const spot = await locateTarget(disk, to, true);
        finish = () => leave(area, spot);
        return checkTarget(disk, source, spot, options);
      };
      try {
        return await work(ends, begin);
      } finally {
        finish?.();
      }
    });
  } finally {
    leave(area, source);
  }
}

const locateTarget = (
  { area }: Disk,
  to: VirtualPath,
  createParents: LocateOptions['createParents'],
): Promise<Spot> => runAsync(locate(area, segmentsOf(to), { leaf: 'keep', forWriting: true, createParents }));

/** The ends with a target that the source may take the place of. */
async function checkTarget(disk: Disk, from: Spot, to: Spot, { overwrite }: TransferOptions): Promise<Ends> {
  mustNotBeRoot(to);
  if (from.stats?.isDirectory() === true && liesIn(to, identityOf(from.stats)))
    throw new AppError('moves_into_itself');
  const toKind = to.lacksParents ? null : await kindAt(disk, to.folder, to.names);
  mustFitTogether(from, to, toKind, overwrite);
  return { from, to, toKind };
}

async function withTarget<T>(
  disk: Disk,
  source: Spot,
  to: VirtualPath,
  options: TransferOptions,
  work: (ends: Ends) => Promise<T>,
): Promise<T> {
  const target = await locateTarget(disk, to, options.createParents === true ? 'later' : false);
  try {
    return await work(await checkTarget(disk, source, target, options));
  } finally {
    leave(disk.area, target);
  }
}

/** Whether both spots are one name, or two spellings that the disk takes for one. */
const isSameName = (from: Spot, to: Spot): boolean =>
  isSame(from.folder, to.folder) &&
  (from.name === to.name ||
    (isCaseVariant(from, to) &&
      from.stats !== null &&
      to.stats !== null &&
      isSame(identityOf(from.stats), identityOf(to.stats))));

/** Whether the spots differ in nothing but the case of the last name. */
export const isCaseVariant = (from: Spot, to: Spot): boolean =>
  isSame(from.folder, to.folder) &&
  from.name !== to.name &&
  from.name.toLowerCase() === to.name.toLowerCase();

function mustFitTogether(from: Spot, to: Spot, toKind: Ends['toKind'], overwrite: boolean): void {
  if (toKind === null) return;
  if (isSameName(from, to)) {
    if (from.name !== to.name) return;
    throw new AppError(overwrite ? 'moves_into_itself' : 'already_exists');
  }
  const isFolder = from.stats?.isDirectory() === true;
  const isMerge = isFolder && to.stats?.isDirectory() === true;
  if (!overwrite || (!isMerge && (isFolder || toKind === 'folder'))) throw new AppError('already_exists');
}

/** Whether what both spots name is one thing on the disk, so that renaming changes the case of its name only. */
export const isCaseRename = (from: Spot, to: Spot): boolean =>
  isCaseVariant(from, to) && isSameName(from, to);
