import { CliError, type CommandCall } from '../command.ts';
import { configOf } from '../common-options.ts';
import { countOf } from '../count-of.ts';
import { assertDatabase, isServerRunning, withData } from '../open-data.ts';

/** `jobs cancel`: asks the server to cancel jobs. Throws {@link CliError} unless all of them can be cancelled. */
export async function cancelJobs(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  await withData(config, async ({ database }) => {
    const unfinished = new Set(
      (await database.jobs.list()).filter(({ isEnded }) => !isEnded).map(({ id }) => id),
    );
    const unknown = call.words.filter((id) => !unfinished.has(id));
    if (unknown.length > 0) throw new CliError(`no unfinished jobs: ${unknown.join(', ')}`);
    for (const id of call.words) await database.jobs.requestCancellation(id);
    const when = isServerRunning(config) ? 'now' : 'when the server starts';
    call.terminal.print(`${countOf(call.words.length, 'job is', 'jobs are')} cancelled ${when}.`);
  });
}
