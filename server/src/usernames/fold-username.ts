/**
 * Returns the name in the form in which names are compared: case and Unicode forms do not matter. Letters
 * that are equal only in upper case (`ı` and `i`, `ß` and `ss`) count as the same.
 */
export const foldUsername = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
