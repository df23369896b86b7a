import { expect, test } from 'vitest';
import { type FairQueue, openFairQueue } from './fair-queue.ts';
import { type Party, userParty } from './party.ts';
import { type InTurn, createSharedWork } from './shared-work.ts';

interface Attempt {
  readonly signal: AbortSignal;
  resolve(value: string): void;
  reject(error: Error): void;
}

/** A computation that records its attempts. */
function recorded(): { attempts: Attempt[]; start: (signal: AbortSignal) => Promise<string> } {
  const attempts: Attempt[] = [];
  const start = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => attempts.push({ signal, resolve, reject }));
  return { attempts, start };
}

const never = new AbortController().signal;
const queue = (): FairQueue => openFairQueue({ running: 9, waiting: 9, refusal: 'busy' });
const as = (signal: AbortSignal): { party: Party; signal: AbortSignal } => ({ party: userParty(1), signal });

test('concurrent callers share one computation; later ones start a new one', async () => {
  const shared = createSharedWork<string>(queue());
  const { attempts, start } = recorded();
  const callers = [1, 2, 3].map(() => shared.run('key', as(never), start));
  const other = shared.run('other', as(never), start);
  expect(attempts).toHaveLength(2);
  attempts[0]?.resolve('made');
  attempts[1]?.resolve('other');
  expect(await Promise.all(callers)).toEqual(['made', 'made', 'made']);
  expect(await other).toBe('other');
  expect(shared.size).toBe(0);
  const again = shared.run('key', as(never), start);
  attempts[2]?.resolve('again');
  expect(await again).toBe('again');
});

test('a caller that leaves does not affect the others; the computation is aborted when the last one leaves', async () => {
  const shared = createSharedWork<string>(queue());
  const { attempts, start } = recorded();
  const [first, second] = [new AbortController(), new AbortController()];
  const one = shared.run('key', as(first.signal), start);
  const two = shared.run('key', as(second.signal), start);
  first.abort(new Error('first left'));
  await expect(one).rejects.toThrow('first left');
  expect(attempts[0]?.signal.aborted).toBe(false);
  second.abort(new Error('second left'));
  await expect(two).rejects.toThrow('second left');
  expect(attempts[0]?.signal.aborted).toBe(true);
});

/** Starts a computation whose only caller leaves. */
async function startAndLeave() {
  const shared = createSharedWork<string>(queue());
  const { attempts, start } = recorded();
  const leaving = new AbortController();
  const left = shared.run('key', as(leaving.signal), start);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  return { shared, attempts, start };
}

test('a caller that arrives while a cancelled computation is still running waits for it', async () => {
  const { shared, attempts, start } = await startAndLeave();
  const lucky = shared.run('key', as(never), start);
  await new Promise(setImmediate);
  expect(attempts).toHaveLength(1);
  attempts[0]?.resolve('finished all the same');
  expect(await lucky).toBe('finished all the same');
});

test('a cancelled computation that ends without a result is started again', async () => {
  const { shared, attempts, start } = await startAndLeave();
  const next = shared.run('key', as(never), start);
  attempts[0]?.reject(new Error('given up'));
  await new Promise(setImmediate);
  expect(attempts).toHaveLength(2);
  attempts[1]?.resolve('made');
  expect(await next).toBe('made');
});

test('a failure is reported to all callers and not cached', async () => {
  const shared = createSharedWork<string>(queue());
  const { attempts, start } = recorded();
  const callers = [1, 2].map(() => shared.run('key', as(never), start));
  attempts[0]?.reject(new Error('broken'));
  for (const one of callers) await expect(one).rejects.toThrow('broken');
  expect(shared.size).toBe(0);
});

test('a waiting computation begins at the turn of any of its callers', async () => {
  const busy = openFairQueue({ running: 1, waiting: 99, waitingPerParty: 99, refusal: 'busy' });
  const shared = createSharedWork<string>(busy);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const make = (name: string) => (_signal: AbortSignal, inTurn: InTurn) =>
    inTurn(async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const run = (name: string, userId: number): Promise<string> =>
    shared.run(name, { party: userParty(userId), signal: never }, make(name));
  const all = Array.from({ length: 20 }, (_, picture) => run(`picture ${picture}`, 1));
  const joined = run('picture 19', 2);
  await expect.poll(() => started).toEqual(['picture 0']);
  ends[0]?.();
  await expect.poll(() => started).toEqual(['picture 0', 'picture 19']);
  ends[1]?.();
  expect(await joined).toBe('picture 19');
  for (let next = 2; next < 20; next++) {
    await expect.poll(() => ends.length).toBe(next + 1);
    ends[next]?.();
  }
  expect((await Promise.all(all)).length).toBe(20);
  expect([busy.running, busy.waiting]).toEqual([0, 0]);
});
