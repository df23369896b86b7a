import { type CommandCall, CliError, type CommandSpec } from './command.ts';
import { commands } from './commands.ts';
import { commanderOf } from './parse-command.ts';

const usageOf = ({ path, words }: CommandSpec): string => [path, ...words].join(' ');

/** Returns the commands whose path starts with `words`, with their summaries. */
function listOf(words: readonly string[]): string[] {
  const found = commands.filter(({ path }) => `${path} `.startsWith(`${words.join(' ')} `.trimStart()));
  const width = Math.max(...found.map((spec) => usageOf(spec).length));
  return found.map((spec) => `  ${usageOf(spec).padEnd(width)}  ${spec.summary}`);
}

/** Returns the help of a command or group; of all commands if `words` is empty. Throws {@link CliError}. */
export function helpText(words: readonly string[]): string {
  const spec = commands.find(({ path }) => path === words.join(' '));
  if (spec !== undefined) return commanderOf(spec).helpInformation().trimEnd();
  const list = listOf(words);
  if (list.length === 0) throw new CliError(`there is no command “${words.join(' ')}”; see: filestead help`);
  return [
    words.length === 0 ? 'Usage: filestead [options]            serve a folder (see: filestead --help)' : '',
    `Usage: filestead ${[...words, '<command>'].join(' ')} [options]`,
    '',
    'Commands:',
    ...list,
    '',
    'Every command has --help.',
  ]
    .filter((line, index) => index > 0 || line !== '')
    .join('\n');
}

/** `help`: prints the help of a command or group. */
export function printHelp({ words, terminal }: CommandCall): Promise<void> {
  terminal.print(helpText(words));
  return Promise.resolve();
}
