/** Longest text of one word, and most words, that are written to the log. */
const maxWordLength = 256;
const maxWords = 64;

const secretName =
  /(?:pass(?:word|wd|phrase)?|secret|token|credential|(?:api|private)[-_]?key|auth(?:orization)?)$/i;

/** The words of a command as they may stand in the log: without what looks like a secret, and not endless. */
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
