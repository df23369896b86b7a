import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';
import { version } from '../../version.ts';
import { metricsText } from './metrics-text.ts';

let app: TestApp;
afterEach(() => app?.close());

/** Starts a server with metrics. Returns the URL of the metrics, from the log. */
async function startWithMetrics(config: Record<string, string> = {}): Promise<string> {
  app = await startApp({
    files: { 'secret-name.txt': 'x' },
    users: [{ username: 'alice' }],
    config: { metricsAddress: '0', ...config },
  });
  const line = app.log.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'metrics are served');
  return line.url as string;
}

/** Fetches the metrics. Returns the text and the values by name and labels. */
async function scrape(url: string): Promise<{ text: string; values: Map<string, number> }> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const text = await response.text();
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.trimEnd().split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (type !== null) types.set(type[1] ?? '', type[2] ?? '');
    if (line.startsWith('#')) {
      expect(line).toMatch(/^# (?:HELP|TYPE) [a-z_]+ \S/);
      continue;
    }
    const sample = /^([a-z_]+)((?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})?) (\d[\d.e+-]*)$/.exec(
      line,
    );
    expect(sample, line).not.toBeNull();
    const [, name = '', labels = '', value = ''] = sample ?? [];
    expect(types.has(name.replace(/_(?:bucket|sum|count)$/, '')) || types.has(name), line).toBe(true);
    expect(values.has(`${name}${labels}`), line).toBe(false);
    values.set(`${name}${labels}`, Number(value));
  }
  return { text, values };
}

test('metrics count requests by endpoint, failed sign-ins, sessions and the disk', async () => {
  const url = await startWithMetrics();
  const token = await app.signIn('alice');
  await app.fetch('/api/login', { method: 'POST', json: { username: 'alice', password: 'wrong' } });
  await app.fetch('/api/resources/', { token });
  await app.fetch('/api/resources/missing', { token });
  const { values } = await scrape(url);
  expect(values.get(`filestead_build_info{version="${version}",node="${process.version}"}`)).toBe(1);
  expect(values.get('filestead_http_requests_total{route="getResource",method="GET",status="200"}')).toBe(1);
  expect(values.get('filestead_http_requests_total{route="getResource",method="GET",status="404"}')).toBe(1);
  expect(values.get('filestead_login_failures_total{reason="wrong_credentials"}')).toBe(1);
  expect(values.get('filestead_sessions')).toBe(1);
  expect(values.get('filestead_http_inflight')).toBe(0);
  expect(values.get('filestead_http_request_seconds_count')).toBe(
    values.get('filestead_http_request_seconds_bucket{le="+Inf"}'),
  );
  for (const name of [
    'filestead_bytes_total{direction="sent"}',
    'filestead_disk_free_bytes',
    'filestead_database_bytes',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ]) {
    expect(values.get(name), name).toBeGreaterThan(0);
  }
  expect(values.has('filestead_last_backup_timestamp_seconds')).toBe(false);
});

test('metrics contain the time of the last backup, and leave it out when the file is damaged', async () => {
  const url = await startWithMetrics();
  await writeFile(join(app.data, 'last-backup'), '1790000000\n');
  expect((await scrape(url)).values.get('filestead_last_backup_timestamp_seconds')).toBe(1_790_000_000);
  await writeFile(join(app.data, 'last-backup'), 'yesterday');
  expect((await scrape(url)).values.has('filestead_last_backup_timestamp_seconds')).toBe(false);
});

test('requests for random paths add no series, and no series names a user, a path or an address', async () => {
  const url = await startWithMetrics();
  const token = await app.signIn('alice');
  await app.fetch('/api/raw/secret-name.txt', { token });
  const guess = (turn: number): Promise<Response> =>
    app.fetch(`/guess-${turn}`, { method: turn % 2 ? 'GET' : 'PUT' });
  for (let turn = 0; turn < 4; turn++) await guess(turn);
  const before = (await scrape(url)).values.size;
  for (let turn = 4; turn < 300; turn++) await guess(turn);
  const { text, values } = await scrape(url);
  expect(values.size).toBe(before);
  expect(values.size).toBeLessThan(300);
  for (const secret of ['alice', 'secret-name', '127.0.0.1', 'guess']) expect(text).not.toContain(secret);
});

test('the listener of the metrics serves nothing else, and the server serves no metrics', async () => {
  const url = await startWithMetrics();
  expect((await fetch(new URL('/health', url))).status).toBe(404);
  expect((await fetch(new URL('/api/resources/', url))).status).toBe(404);
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
  expect((await app.fetch('/metrics')).headers.get('content-type')).not.toContain('version=0.0.4');
});

test('with --metricsToken the metrics are only for requests that contain it', async () => {
  const token = 'secret-of-prometheus';
  const url = await startWithMetrics({ metricsToken: token });
  const statusWith = async (authorization?: string): Promise<number> =>
    (await fetch(url, { headers: authorization === undefined ? {} : { authorization } })).status;
  expect(await statusWith(`Bearer ${token}`)).toBe(200);
  for (const wrong of [undefined, `Bearer ${token}x`, 'Bearer', `Basic ${token}`, token]) {
    expect(await statusWith(wrong), wrong).toBe(401);
  }
  expect((await fetch(url)).headers.get('www-authenticate')).toBe('Bearer');
  expect(app.log.join('\n')).not.toContain(token);
});

test('metrics that other machines can read without a token are reported in the log', async () => {
  const warnings = (): unknown[] =>
    app.log.map((text) => JSON.parse(text)).filter(({ msg }) => String(msg).includes('--metricsToken'));
  await startWithMetrics();
  expect(warnings()).toEqual([]);
  await app.close();
  await startWithMetrics({ metricsAddress: '0.0.0.0:0' });
  expect(warnings()).toHaveLength(1);
  await app.close();
  await startWithMetrics({ metricsAddress: '0.0.0.0:0', metricsToken: 'secret-of-prometheus' });
  expect(warnings()).toEqual([]);
});

test('a token that is short, contains spaces or belongs to no address is refused', async () => {
  const refusal = 'metricsToken: expected at least 16 letters';
  for (const metricsToken of ['short', 'a secret with spaces in it']) {
    await expect(startApp({ config: { metricsAddress: '0', metricsToken } })).rejects.toThrow(refusal);
  }
  await expect(startApp({ config: { metricsToken: 'secret-of-prometheus' } })).rejects.toThrow(
    'metricsToken: metrics are served only with --metricsAddress',
  );
});

test('without --metricsAddress nothing is counted or served', async () => {
  app = await startApp();
  expect(app.log.filter((line) => line.includes('metrics'))).toEqual([]);
});

test('a port in use ends the start with an error that names the option', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as AddressInfo;
  await expect(startApp({ config: { metricsAddress: String(port) } })).rejects.toThrow(
    `metrics: cannot listen on 127.0.0.1, port ${port} (EADDRINUSE); choose another --metricsAddress`,
  );
  await new Promise((resolve) => blocker.close(resolve));
});

test('label values are escaped', () => {
  const samples = [{ labels: { reason: 'a"b\\c\nd' }, value: 1 }];
  expect(metricsText([{ name: 'x', help: 'Help.', type: 'gauge', samples }])).toBe(
    '# HELP filestead_x Help.\n# TYPE filestead_x gauge\nfilestead_x{reason="a\\"b\\\\c\\nd"} 1\n',
  );
});
