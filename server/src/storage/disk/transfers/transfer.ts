import { isAtOrBelow, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import type { TransferOptions } from '../../storage.ts';
import type { Disk } from '../disk.ts';
import { isInside, assertNotRoot, placeOf } from '../disk.ts';
import { type Folder, identityOf, isSame } from '../paths/folder.ts';
import { release, locate, type LocateOptions, type ResolvedEntry } from '../paths/locate.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { findEntry } from '../read-entry.ts';
import { runAsync } from '../paths/steps.ts';

/** The source and the destination of a move or copy. The parent folders of both are open. */
export interface Ends {
  readonly from: ResolvedEntry;
  readonly to: ResolvedEntry;
  /** The kind of the destination, for a link that of its target; null when there is no entry. */
  readonly toKind: 'folder' | 'other' | null;
}

/** The kind of the entry at the real path `names` in `folder`; for a link the kind of its target. */
export async function kindAt(disk: Disk, folder: Folder, names: readonly string[]): Promise<Ends['toKind']> {
  const name = names.at(-1) ?? '';
  const stats = await lstatOrNull(folder, name);
  if (stats === null) return null;
  if (stats.isDirectory()) return 'folder';
  if (!stats.isSymbolicLink()) return 'other';
  // Only the kind is needed, so the target of a link is not checked by the guard.
  const found = await runAsync(findEntry({ ...disk.scopeRoot, assertAllowed: undefined }, names));
  return found?.entry.kind === 'folder' ? 'folder' : 'other';
}

/**
 * Resolves both ends and refuses impossible transfers: a missing source, the root, a folder into itself, and an existing
 * destination unless a file may replace a file or folders may be merged. `work` calls `begin` once, after all its checks:
 * it awaits `beforeChange`, creates missing parent folders and returns the ends to work on.
 */
export async function withEnds<T>(
  disk: Disk,
  from: VirtualPath,
  to: VirtualPath,
  options: TransferOptions & { followSource: boolean },
  work: (ends: Ends, begin: () => Promise<Ends>) => Promise<T>,
): Promise<T> {
  const { scopeRoot } = disk;
  const source = await runAsync(
    locate(scopeRoot, segmentsOf(from), { leaf: options.followSource ? 'follow' : 'keep' }),
  );
  try {
    if (segmentsOf(from).length === 0 || segmentsOf(to).length === 0) throw new AppError('root_is_protected');
    assertNotRoot(source);
    if (source.stats === null) throw new AppError('not_found');
    if (from !== to && isAtOrBelow(to, from)) throw new AppError('moves_into_itself');
    return await withTarget(disk, source, to, options, work);
  } finally {
    release(scopeRoot, source);
  }
}

const locateTarget = (
  { scopeRoot }: Disk,
  to: VirtualPath,
  createParents: LocateOptions['createParents'],
  onCreated?: LocateOptions['onCreated'],
): Promise<ResolvedEntry> =>
  runAsync(locate(scopeRoot, segmentsOf(to), { leaf: 'keep', forWriting: true, createParents, onCreated }));

/** Checks the destination against the source, and returns both. */
async function checkTarget(
  disk: Disk,
  from: ResolvedEntry,
  to: ResolvedEntry,
  { overwrite }: TransferOptions,
): Promise<Ends> {
  assertNotRoot(to);
  if (from.stats?.isDirectory() === true && isInside(to, identityOf(from.stats)))
    throw new AppError('moves_into_itself');
  const toKind = to.lacksParents ? null : await kindAt(disk, to.folder, to.names);
  assertCompatible(from, to, toKind, overwrite);
  return { from, to, toKind };
}

/** As {@link withEnds}, for a source that has been resolved. */
export async function withTarget<T>(
  disk: Disk,
  source: ResolvedEntry,
  to: VirtualPath,
  options: TransferOptions,
  work: (ends: Ends, begin: () => Promise<Ends>) => Promise<T>,
): Promise<T> {
  const { scopeRoot } = disk;
  const target = await locateTarget(disk, to, options.createParents === true ? 'later' : false);
  let finish: (() => void) | undefined;
  const begin = async (): Promise<Ends> => {
    await options.beforeChange?.();
    if (!target.lacksParents) return ends;
    const resolved = await locateTarget(disk, to, true, (names) => options.onParent?.(placeOf(disk, names)));
    finish = () => release(scopeRoot, resolved);
    return checkTarget(disk, source, resolved, options);
  };
  let ends: Ends;
  try {
    ends = await checkTarget(disk, source, target, options);
    return await work(ends, begin);
  } finally {
    finish?.();
    release(scopeRoot, target);
  }
}

/** Whether both have the same name, possibly in another case on a case-insensitive file system. */
const isSameName = (from: ResolvedEntry, to: ResolvedEntry): boolean =>
  isSame(from.folder, to.folder) &&
  (from.name === to.name ||
    (isCaseVariant(from, to) &&
      from.stats !== null &&
      to.stats !== null &&
      isSame(identityOf(from.stats), identityOf(to.stats))));

/** Whether both differ only in the case of the last name. */
export const isCaseVariant = (from: ResolvedEntry, to: ResolvedEntry): boolean =>
  isSame(from.folder, to.folder) &&
  from.name !== to.name &&
  from.name.toLowerCase() === to.name.toLowerCase();

function assertCompatible(
  from: ResolvedEntry,
  to: ResolvedEntry,
  toKind: Ends['toKind'],
  overwrite: boolean,
): void {
  if (toKind === null) return;
  if (isSameName(from, to)) {
    if (from.name !== to.name) return;
    throw new AppError(overwrite ? 'moves_into_itself' : 'already_exists');
  }
  const isFolder = from.stats?.isDirectory() === true;
  const isMerge = isFolder && to.stats?.isDirectory() === true;
  if (!overwrite || (!isMerge && (isFolder || toKind === 'folder'))) throw new AppError('already_exists');
}

/** Whether both are the same entry on the disk, so that a rename only changes the case of its name. */
export const isCaseRename = (from: ResolvedEntry, to: ResolvedEntry): boolean =>
  isCaseVariant(from, to) && isSameName(from, to);
