import { loadProgram } from '../start/bundle/load-program.ts';
import { isStandalone, standaloneActions } from './actions/standalone-actions.ts';
import { CliError, type Terminal } from './command.ts';
import type { FoundCommand } from './find-command.ts';
import { optionValues } from './option-values.ts';
import { parseCommand } from './parse-command.ts';
import { type ExitStatus, reportFailure } from './report-failure.ts';

async function run({ path, words, rest }: FoundCommand, terminal: Terminal): Promise<ExitStatus> {
  if (path === null && words.length > 1)
    throw new CliError(`there is no command “${words.slice(0, 2).join(' ')}”; see: filestead help`);
  if (path === null || !isStandalone(path)) {
    const { runAction } = await loadProgram(null);
    return path === null ? runAction('help', words, terminal) : runAction(path, rest, terminal);
  }
  const { spec, load } = standaloneActions[path];
  const parsed = parseCommand(spec, rest, (text) => terminal.print(text));
  if (parsed === null) return 0;
  const execute = await load();
  await execute({ words: parsed.words, options: optionValues(parsed.given), terminal });
  return 0;
}

/** Runs a command and returns the exit status: 0, or that of the error after printing it in one line. */
export async function runCommandLine(found: FoundCommand, terminal: Terminal): Promise<ExitStatus> {
  try {
    return await run(found, terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}
