/** Letters that Unicode does not decompose, with the letters that people type instead. */
const replacements: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');
const diacritics = /[\u0300-\u036f]/g;
const beyondAscii = /[^\0-\x7f]/;

/** Whether `text` consists of ASCII characters only. */
export const isAscii = (text: string): boolean => !beyondAscii.test(text);

/**
 * Returns the form in which names and queries are compared: lower case, without diacritics, compatibility characters replaced
 * by their ordinary forms. Combining marks of other scripts (voiced kana, vowel signs) are parts of letters there and are kept.
 */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase();
  return name
    .normalize('NFKD')
    .replaceAll(diacritics, '')
    .toLowerCase()
    .replaceAll(diacritics, '')
    .replaceAll(replaced, (letter) => replacements[letter] ?? letter)
    .normalize('NFC');
}
