import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Runs, openRuns } from '../run-main.ts';

let runs: Runs;
beforeEach(async () => {
  runs = await openRuns();
});
afterEach(() => runs.remove());

/** Starts the installed program, signs in, and stops it. */
async function runOnce(): Promise<void> {
  const { child, waitFor, ended, output } = runs.run('--port', '0', '--password', 'a password for tests');
  const [, url = ''] = await waitFor(/at (http:\S+)/);
  const response = await fetch(`${url}api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'a password for tests' }),
  });
  expect(response.status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended, output()).toBe(0);
  expect(output()).not.toMatch(/warn|error/i);
}

/** Returns the path of the only stored code. */
function storedCode(): string {
  const folder = join(runs.root, '.filestead', 'code');
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? '');
}

test('the compiled code is stored at the first stop and used by the next starts', async () => {
  await runOnce();
  const path = storedCode();
  const { mode, size } = statSync(path);
  const { mtimeNs } = statSync(path, { bigint: true });
  expect(mode & 0o777).toBe(0o600);
  expect(size).toBeGreaterThan(500_000);
  await runOnce();
  expect(statSync(storedCode(), { bigint: true }).mtimeNs).toBe(mtimeNs);
});

test('damaged code, and code that others may write, is replaced', async () => {
  await runOnce();
  const path = storedCode();
  const code = readFileSync(path);
  const damaged = Buffer.from(code);
  damaged.fill(0xff, damaged.length / 2, damaged.length / 2 + 64);
  writeFileSync(path, damaged);
  await runOnce();
  expect(readFileSync(storedCode()).equals(damaged)).toBe(false);

  const { mtimeNs } = statSync(path, { bigint: true });
  chmodSync(path, 0o666);
  await runOnce();
  expect(statSync(path)).toMatchObject({ mode: 0o100600 });
  expect(statSync(path, { bigint: true }).mtimeNs).not.toBe(mtimeNs);

  writeFileSync(path, '');
  await runOnce();
  expect(statSync(path).size).toBeGreaterThan(500_000);
});
