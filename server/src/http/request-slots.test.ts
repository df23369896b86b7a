import { describe, expect, it } from 'vitest';
import { createRequestSlots } from './request-slots.ts';

const limits = { running: 3, runningPerUser: 2, waiting: 3, waitingPerUser: 2 };
const never = new AbortController().signal;

/** What has resolved so far, by the order of asking. */
function watch(asked: readonly Promise<unknown>[]): () => Promise<boolean[]> {
  const done = asked.map(() => false);
  for (const [index, promise] of asked.entries()) {
    promise.then(
      () => (done[index] = true),
      () => undefined,
    );
  }
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return done;
  };
}

describe('request slots', () => {
  it('give turns in order, so that nobody has more than a share', async () => {
    const slots = createRequestSlots(limits);
    const asked = [1, 1, 1, 2, 2].map((user) => slots.enter(user, never));
    const done = watch(asked);
    expect(await done()).toEqual([true, true, false, true, false]);
    (await asked[3])?.();
    expect(await done()).toEqual([true, true, false, true, true]);
    (await asked[0])?.();
    expect(await done()).toEqual([true, true, true, true, true]);
  });

  it('refuse more than may wait, of one and of all', async () => {
    const slots = createRequestSlots(limits);
    for (const user of [1, 1, 1, 1]) void slots.enter(user, never);
    await expect(slots.enter(1, never)).rejects.toMatchObject({ code: 'too_many_requests' });
    void slots.enter(2, never);
    void slots.enter(2, never);
    await expect(slots.enter(3, never)).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  it('forget whoever leaves while waiting', async () => {
    const slots = createRequestSlots({ ...limits, running: 1, waitingPerUser: 1 });
    const leave = await slots.enter(1, never);
    const leaving = new AbortController();
    const waiting = slots.enter(1, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    const next = slots.enter(1, never);
    leave();
    await expect(next).resolves.toBeTypeOf('function');
    await expect(slots.enter(2, leaving.signal)).rejects.toThrow('left');
  });
});
