import { randomBytes } from 'node:crypto';

/** The names of our unfinished files. They are never listed, reached or created through a storage. */
const temporaryName = /^\.filestead-[0-9a-f]{32}\.part$/i;

/** The folder that a later version keeps deleted files in. */
const trashName = '.filestead-trash';

/**
 * The same name as some file system may read it: any letter case (`ſ` folds to `s`), dots and blanks at the end (Windows drops
 * them). Letters that are ignored when names are compared (ext4 with `casefold`, HFS+) are taken out first.
 */
const trashNameAnySpelling = /^\.filestead-trash[. ]*$/iu;
const ignoredLetters = /\p{Default_Ignorable_Code_Point}/gu;

const dot = 0x2e;
/** The first ignorable code point (soft hyphen). */
const firstIgnorable = 0xad;

/** A new name that nobody can guess. */
export const newTemporaryName = (): string => `.filestead-${randomBytes(16).toString('hex')}.part`;

/** Whether `name` is one of our unfinished files. */
export const isTemporaryName = (name: string): boolean =>
  name.length === 48 && name.startsWith('.') && temporaryName.test(name);

function isTrashName(name: string): boolean {
  // Asked for every name of a listing: nearly all end here.
  if (name.length < trashName.length) return false;
  const first = name.charCodeAt(0);
  if (first !== dot && first < firstIgnorable) return false;
  return trashNameAnySpelling.test(name.replace(ignoredLetters, ''));
}

/** Whether a storage behaves as if nothing had this name, and refuses to create it: unfinished files and the trash. */
export const isReservedName = (name: string): boolean => isTemporaryName(name) || isTrashName(name);
