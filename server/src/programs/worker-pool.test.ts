import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { TestMessage, TestRequest } from '../../test/pool-worker.ts';
import { WorkerPool } from './worker-pool.ts';

const openPool = (maxWorkers: number) =>
  new WorkerPool<TestRequest, TestMessage>({
    name: 'pool-worker',
    source: new URL('../../test/pool-worker.ts', import.meta.url),
    maxWorkers,
    isLast: ({ isLast }) => isLast,
  });

type TestPool = ReturnType<typeof openPool>;

/** Sends one request and resolves with all messages of its task. */
const collect = (pool: TestPool, request: Omit<TestRequest, 'id'>) =>
  new Promise<TestMessage[]>((resolve, reject) => {
    const messages: TestMessage[] = [];
    const task = pool.open({
      onMessage: (message) => {
        messages.push(message);
        if (message.isLast) resolve(messages);
      },
      onFailure: reject,
    });
    task.send({ id: task.id, ...request });
  });

test('delivers each message to the task that it belongs to', async () => {
  const pool = openPool(1);
  const counts = await Promise.all([3, 5, 1].map((value) => collect(pool, { kind: 'count', value })));
  expect(counts.map((messages) => messages.map(({ value }) => value))).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4, 5],
    [1],
  ]);
});

test('starts workers up to the maximum, and uses an idle one before it starts another', async () => {
  const pool = openPool(2);
  const echo = (value: number) => pool.request((id) => ({ id, kind: 'echo', value }));
  const first = await echo(1);
  const second = await echo(2);
  expect(second.threadId).toBe(first.threadId);
  const many = await Promise.all([3, 4, 5, 6].map(echo));
  expect(many.map(({ value }) => value)).toEqual([3, 4, 5, 6]);
  expect(new Set(many.map(({ threadId }) => threadId)).size).toBe(2);
});

test.each([
  ['exits', 'exit', 'pool-worker ended with exit code 3'],
  ['throws', 'throw', 'pool-worker failed: out of range'],
] as const)(
  'fails all tasks of a worker that %s, and starts another for the next',
  async (_how, kind, message) => {
    const pool = openPool(1);
    const { threadId } = await pool.request((id) => ({ id, kind: 'echo' }));
    const waiting = collect(pool, { kind: 'wait' });
    const results = await Promise.allSettled([waiting, collect(pool, { kind })]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message } });
    }
    const next = await pool.request((id) => ({ id, kind: 'echo', value: 9 }));
    expect(next.value).toBe(9);
    expect(next.threadId).not.toBe(threadId);
  },
);

test('leaves the tasks of other workers alone when one ends', async () => {
  const pool = openPool(2);
  const failing = pool.open({ onMessage: () => undefined, onFailure: () => undefined });
  const other = new Promise<TestMessage>((resolve, reject) => {
    const task = pool.open({ onMessage: resolve, onFailure: reject });
    expect(task.worker).not.toBe(failing.worker);
    failing.send({ id: failing.id, kind: 'exit' });
    task.send({ id: task.id, kind: 'echo', value: 4 });
  });
  expect((await other).value).toBe(4);
});

test('delivers nothing to a task that was ended early, nor sends its requests', async () => {
  const pool = openPool(1);
  const received: TestMessage[] = [];
  const task = pool.open({
    onMessage: (message) => received.push(message),
    onFailure: () => expect.unreachable(),
  });
  task.send({ id: task.id, kind: 'echo' });
  task.end();
  task.send({ id: task.id, kind: 'exit' });
  // A worker handles requests in sequence: this response comes after the one that is not delivered.
  expect((await pool.request((id) => ({ id, kind: 'echo', value: 2 }))).value).toBe(2);
  expect(received).toEqual([]);
});

test('rejects a request that cannot be sent, and serves the next', async () => {
  const pool = openPool(1);
  const uncloneable = { kind: 'echo', value: (() => 1) as unknown as number } as const;
  await expect(pool.request((id) => ({ id, ...uncloneable }))).rejects.toThrow('could not be cloned');
  expect((await pool.request((id) => ({ id, kind: 'echo', value: 5 }))).value).toBe(5);
});

test('an idle pool does not keep the process alive', () => {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const script = fileURLToPath(new URL('../../test/run-pool.ts', import.meta.url));
  const run = spawnSync(process.execPath, ['--import', loader, script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(run).toMatchObject({ stdout: 'answered 7\n', status: 0, signal: null });
});
