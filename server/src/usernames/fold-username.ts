/**
 * A name as it is compared: without differences of case and of Unicode forms. Letters that only become one another when they
 * are written large (`ı` and `i`, `ß` and `ss`) count as the same.
 */
export const foldUsername = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
