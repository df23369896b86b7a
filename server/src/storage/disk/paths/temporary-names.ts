import { randomUUID } from 'node:crypto';

/** The names of our unfinished files. They are never listed, reached or created through a storage. */
const temporaryName = /^\.filestead-[0-9a-f]{32}\.part$/i;

/** The name of the store of a volume, the folder that contains its deleted and replaced entries. */
export const trashName = '.filestead-trash';

/**
 * The spellings that a file system may treat as the same name: any letter case (`ſ` folds to `s`), trailing dots and spaces
 * (Windows drops them). Characters that are ignored in comparisons (ext4 with `casefold`, HFS+) are removed first.
 */
const trashNameAnySpelling = /^\.filestead-trash[. ]*$/iu;
const ignoredLetters = /\p{Default_Ignorable_Code_Point}/gu;

const dot = 0x2e;
/** The first ignorable code point (soft hyphen). */
const firstIgnorable = 0xad;

/** Generates a temporary name that cannot be guessed: 122 random bits. Node draws those of UUIDs for many at once. */
export const newTemporaryName = (): string => `.filestead-${randomUUID().replaceAll('-', '')}.part`;

/** Whether `name` is one of our unfinished files. */
export const isTemporaryName = (name: string): boolean =>
  name.length === 48 && name.startsWith('.') && temporaryName.test(name);

function isTrashName(name: string): boolean {
  // Called for every name of a listing; nearly all of them return here.
  if (name.length < trashName.length) return false;
  const first = name.charCodeAt(0);
  if (first !== dot && first < firstIgnorable) return false;
  return trashNameAnySpelling.test(name.replace(ignoredLetters, ''));
}

/** Whether a storage hides entries of this name and refuses to create them: unfinished files and the trash. */
export const isReservedName = (name: string): boolean => isTemporaryName(name) || isTrashName(name);
