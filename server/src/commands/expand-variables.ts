/** A variable, or characters that mean nothing to any program that would read the word as more than a value. */
const plainWord = /^(?:\$\w+|\$\{\w+\}|[\w./:=@%+,-])+$/;

/**
 * Replaces `$NAME` and `${NAME}` by their values in words that a line was split into; unknown names become empty. A value
 * stays within its word whatever it holds. Words with anything but plain characters beside the variables are left alone:
 * they may be text of a program (`sh -c 'cp "$FILE" /backup'`), which finds the variables in its environment.
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
