import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

test('guesses from elsewhere do not lock out a user with a session, even after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-known-'));
  const config = {
    database: join(folder, 'filestead.db'),
    trustedProxies: '127.0.0.1',
    loginAttemptsPerName: '5',
  };
  const login = async (app: TestApp, address: string, password: string): Promise<number> => {
    const response = await app.fetch('/api/login', {
      method: 'POST',
      json: { username: 'alice', password },
      headers: { 'x-forwarded-for': address },
    });
    return response.status;
  };
  const first = await startApp({ config, users: [{ username: 'alice' }] });
  expect(await login(first, '192.0.2.1', testPassword)).toBe(200);
  await first.close();
  const second = await startApp({ config, stopsClock: true });
  try {
    for (let turn = 0; turn < 5; turn++) expect(await login(second, `198.51.100.${turn}`, 'wrong')).toBe(403);
    // From elsewhere the owner waits in the attempt queue, which needs the clock to move.
    let isAnswered = false;
    const elsewhere = login(second, '203.0.113.1', testPassword).finally(() => (isAnswered = true));
    expect(await login(second, '192.0.2.1', testPassword)).toBe(200);
    expect(isAnswered).toBe(false);
    await expect
      .poll(() => {
        second.clock.advance(5_000);
        return isAnswered;
      })
      .toBe(true);
    expect(await elsewhere).toBe(200);
  } finally {
    await second.close();
    await rm(folder, { recursive: true, force: true });
  }
});
