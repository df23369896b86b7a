import { type ParseEntry, parse } from 'shell-quote';

/** A command line that cannot be understood; its message is for whoever wrote the line. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** Quotes are closed, nothing ends in a backslash, and white space outside quotes is a space or a tab. */
const wellFormed = /^(?:[^'"\\\s]|[ \t]|\\[^\r\n]|'[^'\r\n]*'|"(?:\\[^\r\n]|[^"\\\r\n])*")*$/;

/** Stands for `$` while the words are split; a private character that no command line has a use for. */
const dollar = '\uE000';

/** What a shell would do, and nothing here does, in words. */
function meaningOf(entry: Exclude<ParseEntry, string>): string {
  if ('comment' in entry) return '“#”';
  return entry.op === 'glob' ? 'patterns such as “*”' : `“${entry.op}”`;
}

/**
 * Splits a line into words as a shell does: by spaces, with quotes and backslashes. There is no shell, so what only one
 * would understand (operators, patterns, comments) is refused unless it is quoted; `$` stays as it is. Throws
 * {@link CommandLineError}.
 */
export function splitCommandLine(line: string): [string, ...string[]] {
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) {
    throw new CommandLineError('error parsing command: it has to be one line without control characters');
  }
  if (!wellFormed.test(line)) {
    throw new CommandLineError(
      'error parsing command: a quote is not closed, or a space is not an ordinary one',
    );
  }
  if (line.includes(dollar))
    throw new CommandLineError('error parsing command: it has a character of private use');
  const words: string[] = [];
  for (const entry of parse(line.replaceAll('$', dollar))) {
    if (typeof entry !== 'string') {
      throw new CommandLineError(
        `error parsing command: there is no shell here, so ${meaningOf(entry)} has to be in quotes`,
      );
    }
    words.push(entry.replaceAll(dollar, '$'));
  }
  const [program, ...rest] = words;
  if (program === undefined || program === '')
    throw new CommandLineError('error parsing command: it is empty');
  return [program, ...rest];
}
