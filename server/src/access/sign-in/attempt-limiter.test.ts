import { describe, expect, test } from 'vitest';
import { type AttemptLimiter, openAttemptLimiter } from './attempt-limiter.ts';
import { openFakeClock } from '../../../test/fake-clock.ts';

const limits = { perAddress: 5, perName: 3, windowMs: 300_000 };
const tooMany = expect.objectContaining({ code: 'too_many_requests' });
const alice = { account: 'alice' };

/** Uses up the undelayed attempts at `account`, each from its own address. */
async function guess(limiter: AttemptLimiter, account: string): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await limiter.begin(`198.51.100.${turn}`, { account });
}

/** Returns the current outcome of an attempt, which changes as time passes. */
function outcomeOf(attempt: Promise<unknown>): { readonly now: string } {
  const outcome = { now: 'waits' };
  attempt.then(
    () => (outcome.now = 'may try'),
    () => (outcome.now = 'refused'),
  );
  return outcome;
}

test('attempts at one account from one address are limited until the window has passed', async () => {
  const clock = openFakeClock();
  const limiter = openAttemptLimiter(limits, { clock });
  for (let turn = 0; turn < 3; turn += 1) await limiter.begin('192.0.2.1', { account: 'Alice' });
  await expect(limiter.begin('192.0.2.1', alice)).rejects.toThrow(/try again in 300 seconds/);
  await limiter.begin('192.0.2.1', { account: 'bob' });
  await clock.pass(300_001);
  await limiter.begin('192.0.2.1', alice);
});

test('attempts from one address are limited across accounts', async () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 5; turn += 1) await limiter.begin('192.0.2.1', { account: `name ${turn}` });
  await expect(limiter.begin('192.0.2.1', { account: 'another' })).rejects.toEqual(tooMany);
  await expect(limiter.begin('192.0.2.1', null)).rejects.toEqual(tooMany);
  await limiter.begin('192.0.2.2', { account: 'another' });
});

test('addresses of one IPv6 network count as one', async () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 5; turn += 1) {
    await limiter.begin(`2001:db8:1:2::${turn}`, { account: `name ${turn}` });
  }
  await expect(limiter.begin('2001:db8:1:2:ffff::1', { account: 'another' })).rejects.toEqual(tooMany);
  await limiter.begin('2001:db8:1:3::1', { account: 'another' });
});

test('attempts from all addresses together are limited where configured', async () => {
  const limiter = openAttemptLimiter({ ...limits, perName: Infinity, inTotal: 12 });
  for (let turn = 0; turn < 12; turn += 1) await limiter.begin(`192.0.2.${turn}`, null);
  await expect(limiter.begin('192.0.2.200', null)).rejects.toEqual(tooMany);
});

test('a right password is not counted', async () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 20; turn += 1) (await limiter.begin('192.0.2.1', alice)).succeeded();
  (await limiter.begin('192.0.2.1', alice)).succeeded();
});

test('a right password cancels the count of its own attempt only', async () => {
  const limiter = openAttemptLimiter(limits);
  const succeed = async (account: string): Promise<void> =>
    (await limiter.begin('192.0.2.1', { account })).succeeded();
  for (let turn = 0; turn < 2; turn += 1) await limiter.begin('192.0.2.1', alice);
  await succeed('alice');
  await succeed('bob');
  await limiter.begin('192.0.2.1', alice);
  await expect(limiter.begin('192.0.2.1', alice)).rejects.toEqual(tooMany);
  // Attempts at other accounts count for the address: three at alice, two at others.
  await succeed('bob');
  for (const account of ['carol', 'dave']) await limiter.begin('192.0.2.1', { account });
  await expect(limiter.begin('192.0.2.1', { account: 'bob' })).rejects.toEqual(tooMany);
});

test('reporting the same right password twice cancels one count', async () => {
  const limiter = openAttemptLimiter(limits);
  for (let turn = 0; turn < 2; turn += 1) await limiter.begin('192.0.2.1', alice);
  const attempt = await limiter.begin('192.0.2.1', alice);
  attempt.succeeded();
  attempt.succeeded();
  await limiter.begin('192.0.2.1', alice);
  await expect(limiter.begin('192.0.2.1', alice)).rejects.toEqual(tooMany);
});

describe('an account whose password is being guessed', () => {
  test('admits its owner from an address with a session, which is limited too', async () => {
    const limiter = openAttemptLimiter(limits, {
      clock: openFakeClock(),
      addressesOf: async (account) => (account === 'alice' ? ['192.0.2.1', '2001:db8::1'] : []),
    });
    await guess(limiter, 'alice');
    for (let turn = 0; turn < 3; turn += 1) await limiter.begin('192.0.2.1', alice);
    await expect(limiter.begin('192.0.2.1', alice)).rejects.toEqual(tooMany);
    // Another address of the same IPv6 network.
    await limiter.begin('2001:db8::2', alice);
  });

  test('admits its owner from an address where a password was right since the start', async () => {
    const limiter = openAttemptLimiter(limits, { clock: openFakeClock() });
    (await limiter.begin('192.0.2.1', alice)).succeeded();
    await guess(limiter, 'alice');
    await limiter.begin('192.0.2.1', alice);
  });

  test('admits its owner from a new address after a short wait, before attackers who had a turn', async () => {
    const clock = openFakeClock();
    const limiter = openAttemptLimiter(limits, { clock });
    await guess(limiter, 'alice');
    const guesses = [1, 2, 3].map((turn) => outcomeOf(limiter.begin(`203.0.113.${turn}`, alice)));
    await clock.pass(5_000);
    expect(guesses.map(({ now }) => now)).toEqual(['may try', 'waits', 'waits']);
    // The first attacker has had a turn and waits for another one; the queue is full.
    const again = outcomeOf(limiter.begin('203.0.113.1', alice));
    const owner = outcomeOf(limiter.begin('192.0.2.9', alice));
    await clock.pass(1);
    expect([again.now, owner.now]).toEqual(['refused', 'waits']);
    await clock.pass(60_000);
    expect(owner.now).toBe('may try');
  });

  test('allows the same number of guesses from any number of addresses', async () => {
    const clock = openFakeClock();
    const limiter = openAttemptLimiter(limits, { clock });
    let allowed = 0;
    let address = 0;
    const hourMs = 3_600_000;
    for (let second = 0; second < 3_600; second += 1) {
      // More new addresses each second than the queue can contain.
      for (let turn = 0; turn < 5; turn += 1) {
        address += 1;
        limiter.begin(`10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`, alice).then(
          () => (allowed += 1),
          () => undefined,
        );
      }
      await clock.pass(hourMs / 3_600);
    }
    // Three without delay, three while the delays grow, then one every 30 seconds.
    expect(allowed).toBeLessThanOrEqual(3 + 3 + hourMs / 30_000);
    expect(allowed).toBeGreaterThan(100);
  });

  test('has no delay again after a whole window without guesses', async () => {
    const clock = openFakeClock();
    const limiter = openAttemptLimiter(limits, { clock });
    await guess(limiter, 'alice');
    const slow = outcomeOf(limiter.begin('192.0.2.9', alice));
    await clock.pass(5_000);
    expect(slow.now).toBe('may try');
    await clock.pass(299_000);
    expect(outcomeOf(limiter.begin('192.0.2.8', alice)).now).toBe('waits');
    await clock.pass(31_000 + 300_001);
    await limiter.begin('192.0.2.7', alice);
  });

  test('frees the slot of a client that disconnects', async () => {
    const clock = openFakeClock();
    const limiter = openAttemptLimiter(limits, { clock });
    await guess(limiter, 'alice');
    const leaving = new AbortController();
    const left = limiter.begin('203.0.113.1', alice, leaving.signal);
    const next = outcomeOf(limiter.begin('203.0.113.2', alice));
    await clock.pass(1);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await clock.pass(5_000);
    expect(next.now).toBe('may try');
  });

  test('is delayed like a name that no account has', async () => {
    const clock = openFakeClock();
    const limiter = openAttemptLimiter(limits, { clock, addressesOf: async () => [] });
    const outcomes = await Promise.all(
      ['alice', 'nobody'].map(async (account) => {
        await guess(limiter, account);
        return outcomeOf(limiter.begin('192.0.2.9', { account }));
      }),
    );
    await clock.pass(4_999);
    expect(outcomes.map(({ now }) => now)).toEqual(['waits', 'waits']);
    await clock.pass(1);
    expect(outcomes.map(({ now }) => now)).toEqual(['may try', 'may try']);
  });
});

test("spellings of one account's name are counted together", async () => {
  const limiter = openAttemptLimiter(limits);
  for (const account of ['admin', 'ADMIN', 'admın']) await limiter.begin('192.0.2.1', { account });
  await expect(limiter.begin('192.0.2.1', { account: 'ａｄｍıｎ' })).rejects.toEqual(tooMany);
  for (const account of ['strasse', 'STRASSE', 'straße']) await limiter.begin('192.0.2.2', { account });
  await expect(limiter.begin('192.0.2.2', { account: 'ſtraße' })).rejects.toEqual(tooMany);
});

test('attempts of a refused address do not evict other counters, however many names it tries', async () => {
  const clock = openFakeClock();
  const limiter = openAttemptLimiter(limits, { clock });
  await guess(limiter, 'alice');
  for (let turn = 0; turn < 5; turn += 1) await limiter.begin('192.0.2.1', { account: `name ${turn}` });
  const results = await Promise.allSettled(
    Array.from({ length: 60_000 }, (_, turn) => limiter.begin('192.0.2.1', { account: `another ${turn}` })),
  );
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  const stranger = outcomeOf(limiter.begin('198.51.100.9', alice));
  await clock.pass(1);
  expect(stranger.now).toBe('waits');
});
