import { parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Rule } from '@filestead/contract/rules';
import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError } from '../errors.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import type { Catalogue } from './catalogue.ts';

/** The file or folder that a request to the catalogue is about. */
export interface CatalogueTarget {
  readonly storage: NarrowedStorage;
  /** False for a file, which contains nothing to search. */
  readonly isFolder: boolean;
  /** The part of the folder that the user may list; null for a file, and for a folder outside of the user's scope, to which links have led. */
  readonly visible: VisiblePart | null;
}

/** The parts of the server that {@link resolveTarget} uses. */
export interface TargetOptions {
  readonly catalogue: Pick<Catalogue, 'letterCases'>;
  /** The rules for all users. */
  readonly globalRules: () => readonly Rule[];
}

/** Returns the real place of a folder, links resolved. Throws the errors of `Storage.within`. */
export async function realPlaceOf(storage: NarrowedStorage, folder: VirtualPath): Promise<VirtualPath> {
  const inner = await storage.within(folder);
  try {
    return inner.toPlace(rootPath);
  } finally {
    await inner.close();
  }
}

/**
 * Resolves a folder of a user to its place in the served folder, with the rules and settings that decide what the user may list
 * in it now. Throws `not_found`, `forbidden`, `external_link`.
 */
export async function resolveTarget(
  { user, storage: openStorage }: UserContext,
  folder: VirtualPath,
  { catalogue, globalRules }: TargetOptions,
): Promise<CatalogueTarget> {
  const storage = await openStorage();
  const entry = await storage.stat(folder);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'invalid_link') throw new AppError('external_link');
  if (entry.kind !== 'folder') return { storage, isFolder: false, visible: null };
  const place = await realPlaceOf(storage, folder);
  const real = storage.fromPlace(place);
  if (real === null) return { storage, isFolder: true, visible: null };
  const visible: VisiblePart = {
    place,
    bases: real === folder ? [folder] : [folder, real],
    scope: storage.toPlace(rootPath),
    rules: user.rules,
    globalRules: globalRules(),
    hidesDotfiles: user.hideDotfiles,
    letterCases: catalogue.letterCases,
  };
  return { storage, isFolder: true, visible };
}

/** Returns the place of the folder that a user has open; null without one, or when it cannot be opened. */
export async function placeOf(
  storage: NarrowedStorage,
  text: string | undefined,
): Promise<VirtualPath | null> {
  return text === undefined ? null : realPlaceOf(storage, parsePath(text).path).catch(() => null);
}
