import { type Option, optionNamed, options } from '../options.ts';

/** All commands; without one of them the server is started. */
export const commandPaths = [
  'config init',
  'config set',
  'config cat',
  'config export',
  'config import',
  'users add',
  'users update',
  'users rm',
  'users find',
  'users ls',
  'users export',
  'users import',
  'keys rotate',
  'rules add',
  'rules ls',
  'rules rm',
  'cmds add',
  'cmds ls',
  'cmds rm',
  'hash',
  'import-filebrowser',
  'version',
  'completion',
  'help',
] as const;
export type CommandPath = (typeof commandPaths)[number];

const optionList: readonly Option[] = options;

/** Whether the next argument is this option's value. */
function takesNext(argument: string): boolean {
  if (argument === '-c' || argument === '--config') return true;
  const name = argument.startsWith('--') ? optionNamed(argument.slice(2)) : undefined;
  return optionList.some(
    (option) => option.value !== undefined && (option.name === name || `-${option.short ?? ''}` === argument),
  );
}

/** The words of the arguments that could name a command, and where they stand. */
function wordsOf(args: readonly string[]): { text: string; at: number }[] {
  const words: { text: string; at: number }[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at] ?? '';
    if (text === '--') break;
    if (!text.startsWith('-')) words.push({ text, at });
    else if (words.length === 0 && takesNext(text)) at += 1;
  }
  return words;
}

/** A command among the arguments. */
export interface FoundCommand {
  /** Null when the words are none; `words` says which they are. */
  readonly path: CommandPath | null;
  readonly words: readonly string[];
  /** The arguments without the words that name the command. */
  readonly rest: readonly string[];
}

/**
 * The command that the arguments name; undefined when they are options only, so that the server is meant. Options of the
 * server may stand before the command.
 */
export function findCommand(args: readonly string[]): FoundCommand | undefined {
  const words = wordsOf(args);
  const [first, second] = words;
  if (first === undefined) return undefined;
  for (const used of [second === undefined ? [first] : [first, second], [first]]) {
    const name = used.map(({ text }) => text).join(' ');
    const path = commandPaths.find((known) => known === name);
    if (path !== undefined) {
      const places = new Set(used.map(({ at }) => at));
      return { path, words: path.split(' '), rest: args.filter((_, at) => !places.has(at)) };
    }
  }
  // What follows an option may be its value; the server's own parser says what is wrong with it.
  if (first.at > 0) return undefined;
  const places = new Set([first.at]);
  return { path: null, words: words.map(({ text }) => text), rest: args.filter((_, at) => !places.has(at)) };
}
