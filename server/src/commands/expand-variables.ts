/** Matches words that consist of variables and of characters without special meaning in shells. */
const plainWord = /^(?:\$\w+|\$\{\w+\}|[\w./:=@%+,-])+$/;

/**
 * Replaces `$NAME` and `${NAME}` in the words of a command line by their values; unknown names become empty. A value never
 * splits its word. Words that contain other than plain characters beside the variables are left unchanged: they may be a
 * script (`sh -c 'cp "$FILE" /backup'`), which finds the variables in its environment.
 */
export function expandVariables(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return words.map((word) =>
    plainWord.test(word)
      ? word.replaceAll(
          /\$(?:(\w+)|\{(\w+)\})/g,
          (_all, bare: string | undefined, braced: string | undefined) => {
            const name = bare ?? braced ?? '';
            return Object.hasOwn(environment, name) ? (environment[name] ?? '') : '';
          },
        )
      : word,
  );
}
