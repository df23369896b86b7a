/** Maximum length of a logged word, and maximum number of logged words. */
const maxWordLength = 256;
const maxWords = 64;

const secretName =
  /(?:pass(?:word|wd|phrase)?|secret|token|credential|(?:api|private)[-_]?key|auth(?:orization)?)$/i;

/** Returns the words of a command for the audit log, with likely secrets masked and within the limits of length and number. */
export function auditArguments(words: readonly string[]): string[] {
  return words.slice(0, maxWords).map((word, index) => {
    const before = words[index - 1] ?? '';
    if (/^--?\w/.test(before) && secretName.test(before)) return '…';
    const hidden = word
      .replace(/(:\/\/[^/\s:@]*:)[^/\s@]*@/, '$1…@')
      .replace(/^([^=:]*)([=:])\s*(\S.*)$/s, (all, name: string, sign: string) =>
        secretName.test(name.trim()) ? `${name}${sign}…` : all,
      );
    return hidden.length > maxWordLength ? `${hidden.slice(0, maxWordLength)}…` : hidden;
  });
}
