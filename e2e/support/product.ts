import { type ChildProcess, spawn } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `FILESTEAD_BUILD` selects another build than that of this clone: a folder with `server/dist` and `web/dist`. */
const defaultBuild = process.env['FILESTEAD_BUILD'] ?? join(import.meta.dirname, '..', '..');
const startTimeoutMs = 30_000;
/** A folder in which the products of a run share their compiled code: a server that has it starts in two thirds of the time. */
const sharedCode = process.env['FILESTEAD_SHARED_CODE'];

/** The built product, started as a user would start it, on a free loopback port. */
export interface Product {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** The served folder. */
  readonly root: string;
  /** The password of the administrator `admin`, as printed at the first start; empty at later ones. */
  readonly password: string;
  /** From the start of the process to the first response of `/health`, in milliseconds. */
  readonly startMs: number;
  /** Returns everything it has printed so far. */
  output(): string;
  /** Ends the process and removes its data, but not the served folder. */
  stop(): Promise<void>;
}

/** Adds hard links in `to` to the compiled code in `from`, if there is any. Another product may do the same at the same time. */
async function shareCode(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) await link(join(from, name), join(to, name)).catch(() => {});
}

/** Waits for `pattern` in the result of `read`. Throws with the output if it does not appear. */
async function waitFor(read: () => string, pattern: RegExp, child: ChildProcess): Promise<RegExpMatchArray> {
  const end = Date.now() + startTimeoutMs;
  for (;;) {
    const match = pattern.exec(read());
    if (match) return match;
    if (child.exitCode !== null || Date.now() > end) throw new Error(`Filestead did not start:\n${read()}`);
    await sleep(5);
  }
}

/**
 * Starts the product on `root`. `data` (an existing folder) keeps its data for a second start; otherwise it is new and
 * removed at the end.
 */
export async function startProduct(
  root: string,
  options: {
    data?: string;
    args?: readonly string[];
    /** Another build than the default one, which `FILESTEAD_BUILD` names. */
    build?: string;
    /** Arguments of Node. */
    nodeArgs?: readonly string[];
    env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Product> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'filestead-data-')));
  const isNew = (await readdir(data)).length === 0;
  if (isNew && sharedCode !== undefined) await shareCode(sharedCode, join(data, 'code'));
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...(options.nodeArgs ?? []),
      join(options.build ?? defaultBuild, 'server', 'dist', 'main.js'),
      '--root',
      root,
      '--data',
      data,
      '--address',
      '127.0.0.1',
      '--port',
      '0',
      ...(options.args ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env, NODE_ENV: 'production' } },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const read = () => text;

  const [, url = ''] = await waitFor(read, / at (http:\/\/[\d.:]+)/, child);
  const response = await fetch(`${url}/health`);
  if (!response.ok) throw new Error(`Filestead is not healthy: ${response.status}`);
  await response.arrayBuffer();
  const startMs = performance.now() - started;
  const [, file = ''] = isNew ? await waitFor(read, /Password:\s+in the file (\S+)/, child) : [];
  const password = file === '' ? '' : (await readFile(file, 'utf8')).trim();

  return {
    url,
    pid: child.pid ?? 0,
    root,
    password,
    startMs,
    output: read,
    async stop() {
      if (child.exitCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        const isLate = await Promise.race([ended.then(() => false), sleep(10_000, true, { ref: false })]);
        if (isLate) child.kill('SIGKILL');
        await ended;
        if (sharedCode !== undefined) await shareCode(join(data, 'code'), sharedCode);
      }
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Signs in over the API. Returns the token. */
export async function signInByApi(
  product: Product,
  username = 'admin',
  password = product.password,
): Promise<string> {
  const response = await fetch(`${product.url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (!response.ok) throw new Error(`Signing in failed: ${response.status}`);
  return response.text();
}
