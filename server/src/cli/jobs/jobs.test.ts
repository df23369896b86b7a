import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCli, type TestCli } from '../../../test/run-cli.ts';
import { JobRecord, type NewJob } from '../../jobs/job-record.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
  await cli.succeed('config', 'init');
  await cli.succeed('users', 'add', 'alice', 'a password for tests');
});
afterEach(() => cli.remove());

/** Stores a job as the server does. */
async function store(id: string, createdAt: number, isEnded: boolean): Promise<void> {
  await cli.inspect(async ({ users, jobs }) => {
    const userId = (await users.findByName('alice'))?.id ?? 0;
    const request = {
      kind: 'copy',
      algorithm: 'sha256',
      isPermanent: false,
      restoreTarget: null,
      undoes: null,
    } as const;
    const created = { id, userId, sessionId: 's', scope: '/', itemCount: 2, createdAt };
    const job = new JobRecord(
      { ...created, ...request } satisfies NewJob,
      () => createdAt,
      () => undefined,
    );
    job.start();
    job.doneItems = isEnded ? 2 : 1;
    if (isEnded) job.end();
    await jobs.create({ ...created, request, isEnded, progress: job.progress }, []);
  });
}
const [first, second] = ['A'.repeat(22), 'B'.repeat(22)] as const;

test('jobs are listed with their user and progress, and cancelled ones are marked', async () => {
  await store(first, Date.UTC(2026, 0, 1), true);
  await store(second, Date.UTC(2026, 0, 2), false);
  expect((await cli.succeed('jobs', 'list')).split('\n').slice(1)).toEqual([
    `${second}  2026-01-02T00:00:00.000Z  alice  copy  running  1/2    0`,
    `${first}  2026-01-01T00:00:00.000Z  alice  copy  done     2/2    0`,
  ]);
  expect(await cli.succeed('jobs', 'list', '--unfinished')).not.toContain(first);
  expect(await cli.succeed('jobs', 'cancel', second)).toBe('1 job is cancelled when the server starts.');
  expect(await cli.succeed('jobs', 'list', '--unfinished')).toContain('being cancelled');
});

test('a job that has ended or does not exist cannot be cancelled', async () => {
  await store(first, 1, true);
  for (const id of [first, second]) {
    const { status, err } = await cli.run(['jobs', 'cancel', id]);
    expect([status, err]).toEqual([1, `filestead: no unfinished jobs: ${id}`]);
  }
});
