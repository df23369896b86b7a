import { takesNext } from '../config/flag-arguments.ts';

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
  'backup',
  'restore',
  'rules add',
  'rules ls',
  'rules rm',
  'cmds add',
  'cmds ls',
  'cmds rm',
  'healthcheck',
  'hash',
  'import-filebrowser',
  'version',
  'completion',
  'help',
] as const;
export type CommandPath = (typeof commandPaths)[number];

const groups = new Set(commandPaths.map((path) => path.split(' ')[0]));

/** The words of the arguments that could name a command, and where they stand. */
function wordsOf(args: readonly string[]): { text: string; at: number }[] {
  const words: { text: string; at: number }[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at] ?? '';
    if (text === '--') break;
    if (!text.startsWith('-')) words.push({ text, at });
    else if (words.length === 0 && takesNext(args, at)) at += 1;
  }
  return words;
}

/** A command among the arguments. */
export interface FoundCommand {
  /** Null when the words are only a group of commands, or no command of the group; `words` says which they are. */
  readonly path: CommandPath | null;
  readonly words: readonly string[];
  /** The arguments without the words that name the command. */
  readonly rest: readonly string[];
}

/**
 * The command that the arguments name; undefined when the server is meant, by options only or with the folder that it serves.
 * Options of the server may precede the command. A word that is both a command and a folder is the command.
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
  if (first.at > 0 || !groups.has(first.text)) return undefined;
  const places = new Set([first.at]);
  return { path: null, words: words.map(({ text }) => text), rest: args.filter((_, at) => !places.has(at)) };
}
