import { explainError } from '../start/explain-error.ts';
import { isAppError } from '../errors.ts';
import { CliError, type Terminal } from './command.ts';
import { commands } from './commands.ts';
import type { FoundCommand } from './find-command.ts';
import { helpText } from './help.ts';
import { parseCommand } from './parse-command.ts';
import { recordAction } from './record-action.ts';

/** Explanations of error codes without a message of their own. */
const explanations: Readonly<Record<string, string>> = {
  last_administrator: 'at least one administrator must remain',
  username_taken: 'the name belongs to another user',
  not_found: 'it does not exist',
  storage_full: 'the disk is full',
  forbidden: 'the folder is not writable',
};

/** Describes an error in one line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = isAppError(error) && error.message === error.code ? explanations[error.code] : undefined;
  return (known ?? explainError(error)).trim().replaceAll(/\s*\n\s*/g, ' ');
}

async function run({ path, words, rest }: FoundCommand, terminal: Terminal): Promise<void> {
  if (path === null) {
    if (words.length > 1)
      throw new CliError(`there is no command “${words.slice(0, 2).join(' ')}”; see: filestead help`);
    terminal.print(helpText(commands, words));
    return;
  }
  const spec = commands.find((known) => known.path === path);
  if (spec === undefined) throw new CliError(`there is no command “${path}”`);
  const parsed = parseCommand(spec, rest, (text) => terminal.print(text));
  if (parsed === null) return;
  const execute = await spec.load();
  const call = { ...parsed, terminal, commands };
  try {
    await execute(call);
  } catch (error) {
    await recordAction(path, call, error);
    throw error;
  }
  await recordAction(path, call, undefined);
}

/** Runs a command and returns the exit status: 0, or that of the error after printing it in one line. */
export async function runCommandLine(found: FoundCommand, terminal: Terminal): Promise<0 | 1 | 2> {
  try {
    await run(found, terminal);
    return 0;
  } catch (error) {
    terminal.warn(`filestead: ${reasonOf(error)}`);
    return error instanceof CliError ? error.status : 1;
  }
}
