import { type CommandCall, type Terminal } from '../command.ts';
import { type GivenOptions, optionValues } from '../option-values.ts';
import { recordAction } from '../record-action.ts';
import { type ExitStatus, reportFailure } from '../report-failure.ts';
import { type BundledPath, bundledActions } from './bundled-actions.ts';

/** Runs a command that uses code of the server, and records it in the audit log. Returns the exit status. */
export async function runAction(
  path: BundledPath,
  { words, given }: { readonly words: readonly string[]; readonly given: GivenOptions },
  terminal: Terminal,
): Promise<ExitStatus> {
  const call: CommandCall = { words, options: optionValues(given), terminal };
  try {
    const execute = await bundledActions[path]();
    try {
      await execute(call);
    } catch (error) {
      await recordAction(path, call, error);
      throw error;
    }
    await recordAction(path, call, undefined);
    return 0;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}
