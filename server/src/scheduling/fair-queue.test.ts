import { expect, test } from 'vitest';
import { type FairQueue, type FairQueueLimits, openFairQueue } from './fair-queue.ts';
import { type Party, userParty, visitorParty } from './party.ts';

const [alice, bob, carol] = [userParty(1), userParty(2), userParty(3)];
const open = (limits: Partial<FairQueueLimits>): FairQueue =>
  openFairQueue({ running: 1, waiting: 1_000, waitingPerParty: 1_000, refusal: 'busy', ...limits });

/** Tasks that end on request, and the order in which they began. */
function tasksIn(queue: FairQueue) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const results = new Map<string, Promise<unknown>>();
  const add = (party: Party, name: string, signal?: AbortSignal): void => {
    const work = (): Promise<void> => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    };
    results.set(name, queue.run(party, work, signal));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await results.get(name);
    // The next task begins in the same iteration of the event loop.
    await new Promise(setImmediate);
  };
  return { started, add, end, result: (name: string) => results.get(name) };
}
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('runs no more tasks than there are slots, and the tasks of one party in order', async () => {
  const { started, add, end } = tasksIn(open({ running: 2, runningPerParty: 2 }));
  for (const name of ['a', 'b', 'c', 'd']) add(alice, name);
  await settled();
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
});

test('gives each party its turn, however many tasks another one has', async () => {
  const { started, add, end } = tasksIn(open({}));
  for (let number = 1; number <= 700; number++) add(alice, `a${number}`);
  add(bob, 'b1');
  add(bob, 'b2');
  add(carol, 'c1');
  await settled();
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('keeps a slot for others while one party has many tasks', async () => {
  const { started, add } = tasksIn(open({ running: 4 }));
  for (let number = 1; number <= 9; number++) add(alice, `a${number}`);
  add(bob, 'b1');
  await settled();
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('counts all visitors as one party, and each share and address within it', async () => {
  const { started, add, end } = tasksIn(open({}));
  add(alice, 'a1');
  for (const share of ['x', 'y']) {
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      add(visitorParty(share, address), `${share} ${address} 1`);
      add(visitorParty(share, address), `${share} ${address} 2`);
    }
  }
  add(alice, 'a2');
  add(alice, 'a3');
  await settled();
  for (const name of ['a1', 'x 192.0.2.1 1', 'a2', 'y 192.0.2.1 1', 'a3', 'x 192.0.2.2 1']) await end(name);
  expect(started).toEqual([
    'a1',
    'x 192.0.2.1 1',
    'a2',
    'y 192.0.2.1 1',
    'a3',
    'x 192.0.2.2 1',
    'y 192.0.2.2 1',
  ]);
});

test('gives visitors at most half of the slots', async () => {
  const { started, add } = tasksIn(open({ running: 4 }));
  for (let visitor = 0; visitor < 9; visitor++) add(visitorParty(`share ${visitor}`, 'a'), `v${visitor}`);
  await settled();
  expect(started).toEqual(['v0', 'v1']);
});

test('refuses a party with too many waiting tasks, and no other', async () => {
  const queue = open({ waiting: 8, waitingPerParty: 2, refusal: 'too_many_requests' });
  const { add, result } = tasksIn(queue);
  for (const name of ['a1', 'a2', 'a3', 'a4']) add(alice, name);
  await expect(result('a4')).rejects.toMatchObject({ code: 'too_many_requests' });
  add(bob, 'b1');
  await settled();
  expect([queue.running, queue.waiting]).toEqual([1, 3]);
});

test('refuses all parties when too many tasks wait together', async () => {
  const queue = open({ waiting: 8 });
  const { add, result } = tasksIn(queue);
  for (let user = 0; user < 10; user++) add(userParty(user), `${user}`);
  await expect(result('9')).rejects.toMatchObject({ code: 'busy' });
  expect(queue.waiting).toBe(8);
});

test('refuses tasks that may not wait at once', () => {
  const queue = open({ running: 1, waiting: 0, refusal: 'too_busy' });
  const task = queue.enter(alice);
  expect(() => queue.enter(bob)).toThrow(expect.objectContaining({ code: 'too_busy' }));
  task.end();
  task.end();
  const next = queue.enter(bob);
  expect(queue.running).toBe(1);
  next.end();
});

test('never begins a task whose caller has left', async () => {
  const { started, add, end, result } = tasksIn(open({}));
  const leaving = new AbortController();
  add(alice, 'first');
  add(alice, 'left', leaving.signal);
  add(alice, 'last');
  leaving.abort(new Error('gone'));
  await expect(result('left')).rejects.toThrow('gone');
  add(alice, 'too late', leaving.signal);
  await expect(result('too late')).rejects.toThrow('gone');
  await end('first');
  expect(started).toEqual(['first', 'last']);
});

test('passes the slot of a failed task to the next, and resolves idle when none is left', async () => {
  const queue = open({});
  const failing = queue.run(alice, () => Promise.reject(new Error('broken')));
  const next = queue.run(alice, () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  await queue.idle();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});
