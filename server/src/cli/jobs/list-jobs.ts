import type { JobProgress, StoredRequest } from '../../jobs/job-progress.ts';
import type { CommandCall } from '../command.ts';
import { configOf } from '../common-options.ts';
import { assertDatabase, withData } from '../open-data.ts';
import { tableOf } from '../table.ts';
import { usernameCells } from '../users/username-cells.ts';

/** `jobs list`: prints the jobs as they were stored last. */
export async function listJobs(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  await withData(config, async ({ database }) => {
    const nameOf = await usernameCells(database);
    const cancelled = new Set(await database.jobs.cancellations());
    const jobs = (await database.jobs.list())
      .filter(({ isEnded }) => !isEnded || call.options.isOn('unfinished') !== true)
      .toReversed();
    const rows = jobs.map(({ id, userId, request, itemCount, createdAt, progress }) => {
      const { kind } = request as StoredRequest;
      const { state, doneItems, failedItems } = progress as JobProgress;
      return [
        id,
        new Date(createdAt).toISOString(),
        nameOf(userId),
        kind,
        cancelled.has(id) ? 'being cancelled' : state,
        `${doneItems + failedItems}/${itemCount}`,
        String(failedItems),
      ];
    });
    call.terminal.print(tableOf([['ID', 'Created', 'By', 'Kind', 'State', 'Items', 'Failed'], ...rows]));
  });
}
