import { takesNext } from '../config/flag-arguments.ts';

/** Names of all commands. Without one of them the server is started. */
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
  'trash list',
  'trash restore',
  'trash purge',
  'trash check',
  'trash rebuild',
  'trash stores',
  'trash adopt',
  'jobs list',
  'jobs cancel',
  'versions list',
  'versions restore',
  'rules add',
  'rules ls',
  'rules rm',
  'cmds add',
  'cmds ls',
  'cmds rm',
  'healthcheck',
  'doctor',
  'hash',
  'import-filebrowser',
  'version',
  'completion',
  'help',
] as const;
export type CommandPath = (typeof commandPaths)[number];

const groups = new Set(commandPaths.map((path) => path.split(' ')[0]));

/** Returns the arguments that could name a command, with their positions. */
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

/** A command found among the arguments. */
export interface FoundCommand {
  /** Null if the words are a group of commands or do not name a command; see `words`. */
  readonly path: CommandPath | null;
  readonly words: readonly string[];
  /** Arguments without the words that name the command. */
  readonly rest: readonly string[];
}

/**
 * Finds the command among the arguments; undefined if they start the server, with options only or with the
 * folder to serve. Options of the server may precede the command. A word that is both a command and a folder
 * is treated as the command.
 */
export function findCommand(args: readonly string[]): FoundCommand | undefined {
  const words = wordsOf(args);
  const [first, second] = words;
  if (first === undefined) return undefined;
  for (const used of [second === undefined ? [first] : [first, second], [first]]) {
    const name = used.map(({ text }) => text).join(' ');
    const path = commandPaths.find((known) => known === name);
    if (path !== undefined) {
      const positions = new Set(used.map(({ at }) => at));
      return { path, words: path.split(' '), rest: args.filter((_, at) => !positions.has(at)) };
    }
  }
  // A word after an option may be its value; errors are left to the server's own parser.
  if (first.at > 0 || !groups.has(first.text)) return undefined;
  const positions = new Set([first.at]);
  return {
    path: null,
    words: words.map(({ text }) => text),
    rest: args.filter((_, at) => !positions.has(at)),
  };
}
