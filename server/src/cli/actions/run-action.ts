import { type CommandCall, type Terminal } from '../command.ts';
import { commands } from '../commands.ts';
import { optionValues } from '../option-values.ts';
import { parseCommand } from '../parse-command.ts';
import { recordAction } from '../record-action.ts';
import { type ExitStatus, reportFailure } from '../report-failure.ts';
import { type BundledPath, bundledActions } from './bundled-actions.ts';

async function run(path: BundledPath, args: readonly string[], terminal: Terminal): Promise<void> {
  const spec = commands.find((known) => known.path === path);
  if (spec === undefined) throw new Error(`the command “${path}” has no description`);
  const parsed = parseCommand(spec, args, (text) => terminal.print(text));
  if (parsed === null) return;
  const call: CommandCall = { words: parsed.words, options: optionValues(parsed.given), terminal };
  const execute = await bundledActions[path]();
  try {
    await execute(call);
  } catch (error) {
    await recordAction(path, call, error);
    throw error;
  }
  await recordAction(path, call, undefined);
}

/**
 * Runs a command that uses code of the server or the table of all commands, and records it in the audit log. Returns the exit
 * status.
 */
export async function runAction(
  path: BundledPath,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitStatus> {
  try {
    await run(path, args, terminal);
    return 0;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}
