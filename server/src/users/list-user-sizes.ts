import { parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserSize } from '@filestead/contract/users';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { timeText } from '../catalogue/time-text.ts';
import type { StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';

type Size = Omit<UserSize, 'id'>;

const unknownSize: Size = { bytes: null, checkedAt: null };

/**
 * Returns the size of each user's folder, without regard to rules. A folder that several users share is measured once. Throws
 * `catalogue_off`.
 */
export async function listUserSizes(
  users: readonly StoredUser[],
  catalogue: Pick<Catalogue, 'isOn' | 'totals' | 'letterCases'>,
): Promise<UserSize[]> {
  if (!catalogue.isOn) throw new AppError('catalogue_off');
  const known = new Map<VirtualPath, Size>();
  const sizes: UserSize[] = [];
  for (const { id, scope, awaitsScope } of users) {
    const { path } = parsePath(scope);
    const size = awaitsScope ? unknownSize : (known.get(path) ?? (await sizeOf(path, catalogue)));
    if (!awaitsScope) known.set(path, size);
    sizes.push({ id, ...size });
  }
  return sizes;
}

async function sizeOf(
  place: VirtualPath,
  catalogue: Pick<Catalogue, 'totals' | 'letterCases'>,
): Promise<Size> {
  const response = await catalogue.totals({
    place,
    bases: [place],
    scope: rootPath,
    rules: [],
    globalRules: [],
    hidesDotfiles: false,
    letterCases: catalogue.letterCases,
  });
  if (response === null) throw new AppError('catalogue_off');
  const { self } = response;
  if (self === null) return unknownSize;
  return { bytes: self.totals?.bytes ?? null, checkedAt: timeText(self.checkedAt) };
}
