import { type ParseEntry, parse } from 'shell-quote';

/** A command line that cannot be parsed. Its message is shown to the author of the line. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** Matches lines with balanced quotes, without a trailing backslash, and with only spaces and tabs outside quotes. */
const wellFormed = /^(?:[^'"\\\s]|[ \t]|\\[^\r\n]|'[^'\r\n]*'|"(?:\\[^\r\n]|[^"\\\r\n])*")*$/;

/** Replaces `$` while the words are split. It is a private-use character; lines that contain it are refused. */
const dollar = '\uE000';

/** Names the shell syntax of an entry, for the error message. */
function describeSyntax(entry: Exclude<ParseEntry, string>): string {
  if ('comment' in entry) return '“#”';
  return entry.op === 'glob' ? 'patterns such as “*”' : `“${entry.op}”`;
}

/**
 * Splits a line into words as a shell does: by spaces, with quotes and backslashes. As there is no shell, unquoted
 * operators, patterns and comments are refused; `$` stays unchanged. Throws {@link CommandLineError}.
 */
export function splitCommandLine(line: string): [string, ...string[]] {
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) {
    throw new CommandLineError('error parsing command: it must be one line without control characters');
  }
  if (!wellFormed.test(line)) {
    throw new CommandLineError(
      'error parsing command: a quote is not closed, or a space is not an ordinary one',
    );
  }
  if (line.includes(dollar))
    throw new CommandLineError('error parsing command: it contains a private-use character');
  const words: string[] = [];
  for (const entry of parse(line.replaceAll('$', dollar))) {
    if (typeof entry !== 'string') {
      throw new CommandLineError(
        `error parsing command: there is no shell, so ${describeSyntax(entry)} must be quoted`,
      );
    }
    words.push(entry.replaceAll(dollar, '$'));
  }
  const [program, ...rest] = words;
  if (program === undefined || program === '')
    throw new CommandLineError('error parsing command: it is empty');
  return [program, ...rest];
}
