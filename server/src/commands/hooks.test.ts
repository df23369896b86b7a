import { mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '@filestead/contract/settings';
import { breakOffUpload } from '../../test/break-off.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

type Variables = Record<'FILE' | 'SCOPE' | 'TRIGGER' | 'USERNAME' | 'DESTINATION', string>;

let app: TestApp;
let admin: string;
let alice: string;
/** A folder outside the served one, for the files that hooks write. */
let traces: string;
let root: string;

beforeAll(async () => {
  traces = await realpath(await mkdtemp(join(tmpdir(), 'filestead-hooks-')));
  app = await startApp({
    config: { enableExec: 'on', hookTimeout: '700ms' },
    files: { 'alice/keep.txt': 'old', 'alice/folder/x.txt': 'x' },
    users: [
      { username: 'alice', scope: '/alice' },
      {
        username: 'reader',
        scope: '/alice',
        perm: { create: false, modify: false, delete: false, rename: false },
      },
    ],
  });
  admin = await app.signIn('admin');
  alice = await app.signIn('alice');
  root = join(app.root, 'alice');
});
afterAll(async () => {
  await app.close();
  await rm(traces, { recursive: true, force: true });
});

let run = 0;
let trace: string;
beforeEach(() => {
  run += 1;
  trace = join(traces, `trace-${run}`);
});

async function setCommands(commands: Record<string, string[]>, shell: string[] = []): Promise<void> {
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const empty = Object.fromEntries(Object.keys(settings.commands).map((event) => [event, []]));
  const json = { ...settings, shell, commands: { ...empty, ...commands } };
  const response = await app.fetch('/api/settings', { method: 'PUT', token: admin, json });
  expect(response.status).toBe(200);
}

/** Returns a command that appends the five variables to the trace, one per line; no path here contains a line break. */
const recordVariables = (): string =>
  `sh -c 'printf "%s\\n" "$FILE" "$SCOPE" "$TRIGGER" "$USERNAME" "$DESTINATION" >> "${trace}"'`;

async function recordedVariables(): Promise<Variables[]> {
  const lines = (await readFile(trace, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const found: Variables[] = [];
  for (let at = 0; at < lines.length; at += 5) {
    const [FILE = '', SCOPE = '', TRIGGER = '', USERNAME = '', DESTINATION = ''] = lines.slice(at, at + 5);
    found.push({ FILE, SCOPE, TRIGGER, USERNAME, DESTINATION });
  }
  return found;
}

const request = (method: string, path: string, body?: string, token = alice): Promise<Response> =>
  app.fetch(`/api/resources/${path}`, { method, token, ...(body === undefined ? {} : { body }) });
const exists = (path: string): Promise<boolean> =>
  stat(join(root, path)).then(
    () => true,
    () => false,
  );

const changes: [event: string, request: () => Promise<Response>, file: string, destination: string][] = [
  ['upload', () => request('POST', 'up.txt', 'u'), 'up.txt', ''],
  ['save', () => request('PUT', 'saved.txt', 'saved'), 'saved.txt', ''],
  ['copy', () => request('PATCH', 'from.txt?action=copy&destination=%2Fcopy.txt'), 'from.txt', '/copy.txt'],
  ['rename', () => request('PATCH', 'old.txt?action=rename&destination=%2Fnew.txt'), 'old.txt', '/new.txt'],
  ['delete', () => request('DELETE', 'gone.txt'), 'gone.txt', ''],
];

test.each(changes)(
  '%s: the commands before and after it get the change in variables',
  async (event, change, file, destination) => {
    if (event !== 'upload') await writeFile(join(root, file), 'old');
    await setCommands({
      [`before_${event}`]: [recordVariables()],
      [`after_${event}`]: [recordVariables(), recordVariables()],
    });
    expect((await change()).status).toBe(200);
    const expected = {
      FILE: join(root, file),
      SCOPE: '/alice',
      USERNAME: 'alice',
      DESTINATION: `${root}${destination}`,
    };
    expect(await recordedVariables()).toEqual([
      { ...expected, TRIGGER: `before_${event}` },
      { ...expected, TRIGGER: `after_${event}` },
      { ...expected, TRIGGER: `after_${event}` },
    ]);
  },
);

const refusals: [event: string, request: () => Promise<Response>, check: () => Promise<void>][] = [
  ['upload', () => request('POST', 'no.txt', 'x'), async () => expect(await exists('no.txt')).toBe(false)],
  [
    'save',
    () => request('PUT', 'keep.txt', 'new'),
    async () => expect(await readFile(join(root, 'keep.txt'), 'utf8')).toBe('old'),
  ],
  [
    'copy',
    () => request('PATCH', 'keep.txt?action=copy&destination=%2Fno.txt'),
    async () => expect(await exists('no.txt')).toBe(false),
  ],
  [
    'rename',
    () => request('PATCH', 'keep.txt?action=rename&destination=%2Fno.txt'),
    async () => expect(await exists('keep.txt')).toBe(true),
  ],
  ['delete', () => request('DELETE', 'keep.txt'), async () => expect(await exists('keep.txt')).toBe(true)],
];

test.each(refusals)('%s: a failing command before the change cancels it', async (event, change, check) => {
  await setCommands({
    [`before_${event}`]: ['false', recordVariables()],
    [`after_${event}`]: [recordVariables()],
  });
  const response = await change();
  expect(response.status).toBe(500);
  await check();
  expect(await recordedVariables()).toEqual([]);
});

test('a JSON response contains the reason, and the log the command’s output', async () => {
  await setCommands({ before_delete: [`sh -c 'echo "not today" >&2; exit 3'`] });
  const headers = { accept: 'application/json' };
  const response = await app.fetch('/api/resources/keep.txt', { method: 'DELETE', token: alice, headers });
  expect(await response.json()).toMatchObject({ code: 'hook_failed', status: 500 });
  const line = app.log
    .map((text) => JSON.parse(text) as { msg: string })
    .findLast(({ msg }) => msg === 'hook: failed');
  expect(line).toMatchObject({ trigger: 'before_delete', exit: 3, message: 'not today', path: '/keep.txt' });
});

test.each([
  ['upload', () => request('POST', 'stays.txt', 'x'), 'stays.txt'],
  ['upload', () => request('POST', 'stays-folder/'), 'stays-folder'],
  ['copy', () => request('PATCH', 'keep.txt?action=copy&destination=%2Fstays2.txt'), 'stays2.txt'],
] as const)('%s: a command that fails after the change does not undo it', async (event, change, file) => {
  await setCommands({ [`after_${event}`]: ['false', 'no-such-program', recordVariables()] });
  expect((await change()).status).toBe(200);
  expect(await exists(file)).toBe(true);
  expect(app.log.at(-1)).toBeDefined();
});

test('the next command after a change runs although the previous one failed', async () => {
  await setCommands({ after_save: ['false', recordVariables()] });
  expect((await request('PUT', 'keep.txt', 'old')).status).toBe(200);
  expect(await recordedVariables()).toHaveLength(1);
});

describe('a refused request', () => {
  beforeEach(() =>
    setCommands(
      Object.fromEntries(
        ['upload', 'save', 'copy', 'rename', 'delete'].flatMap((event) => [
          [`before_${event}`, [recordVariables()]],
          [`after_${event}`, [recordVariables()]],
        ]),
      ),
    ),
  );

  test.each<[string, () => Promise<Response>, number]>([
    ['a name that is taken', () => request('POST', 'keep.txt', 'x'), 409],
    ['nothing to save to', () => request('PUT', 'missing.txt', 'x'), 404],
    ['nothing to delete', () => request('DELETE', 'missing.txt'), 404],
    ['the top folder', () => request('DELETE', ''), 403],
    ['nothing to copy', () => request('PATCH', 'missing.txt?action=copy&destination=%2Fy'), 404],
    ['a folder into itself', () => request('PATCH', 'folder?action=rename&destination=%2Ffolder%2Fin'), 400],
    ['a taken destination', () => request('PATCH', 'keep.txt?action=copy&destination=%2Fkeep.txt'), 409],
    ['a path that leaves', () => request('POST', '..%2fx.txt', 'x'), 400],
  ])('runs no command: %s', async (_what, change, status) => {
    expect((await change()).status).toBe(status);
    expect(await recordedVariables()).toEqual([]);
  });

  test('runs no command when permissions are missing', async () => {
    const reader = await app.signIn('reader');
    for (const [method, path] of [
      ['POST', 'new.txt'],
      ['PUT', 'keep.txt'],
      ['DELETE', 'keep.txt'],
      ['PATCH', 'keep.txt?action=copy&destination=%2Fz'],
      ['PATCH', 'keep.txt?action=rename&destination=%2Fz'],
    ] as const) {
      expect((await request(method, path, method === 'POST' ? 'x' : undefined, reader)).status).toBe(403);
    }
    expect(await recordedVariables()).toEqual([]);
  });
});

test('an aborted upload runs no command after it, and one that is too large runs none at all', async () => {
  await setCommands({ after_upload: [recordVariables()], before_upload: [] });
  // Too large for an upload whose body is read before anything is written.
  const head = `X-Auth: ${alice}\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`;
  const beginning = `POST /api/resources/broken.txt HTTP/1.1\r\n${head}only a part`;
  await breakOffUpload(Number(new URL(app.url).port), beginning, root);
  expect(await exists('broken.txt')).toBe(false);
  // Hooks of this complete upload run later than any hook of the aborted one would.
  expect((await request('POST', 'marker.txt', 'x')).status).toBe(200);
  const small = await startApp({
    config: { enableExec: 'on', maxUploadSize: '10B' },
    settings: { commands: { before_upload: [recordVariables()], after_upload: [recordVariables()] } },
  });
  try {
    const token = await small.signIn('admin');
    const init = { method: 'POST', token, body: 'more than ten bytes' };
    expect((await small.fetch('/api/resources/large.txt', init)).status).toBe(413);
  } finally {
    await small.close();
  }
  expect((await recordedVariables()).map(({ FILE }) => FILE)).toEqual([join(root, 'marker.txt')]);
});

test.each([
  '$(touch M).txt',
  '`touch M`.txt',
  'a;touch M;.txt',
  'a"; touch M; ".txt',
  "a'; touch M; '.txt",
  'two  words $HOME.txt',
  '-rf',
  '--help',
  '*',
])('the name %s is a value, never text of a command', async (name) => {
  await writeFile(join(traces, 'args.sh'), 'printf "%s\\n" "$#" "$1" "$2" > "$TRACE_FILE"', { mode: 0o700 });
  await setCommands({
    after_upload: [
      recordVariables(),
      `sh ${join(traces, 'args.sh')} $FILE --to=\${DESTINATION}/$USERNAME`,
      `env TRACE_FILE=${trace}.args sh ${join(traces, 'args.sh')} $FILE --to=\${DESTINATION}/$USERNAME`,
      'sh -c "echo $FILE > /dev/null"',
      'sh -c "ls;$FILE"',
    ],
  });
  expect((await request('POST', encodeURIComponent(name), 'x')).status).toBe(200);
  expect((await recordedVariables())[0]?.FILE).toBe(join(root, name));
  expect(await readFile(`${trace}.args`, 'utf8')).toBe(`2\n${join(root, name)}\n--to=${root}/alice\n`);
  for (const folder of [root, app.root, process.cwd(), traces])
    expect(await readdir(folder)).not.toContain('M');
  await request('DELETE', encodeURIComponent(name));
});

test('a line that ends with “&” runs in the background', async () => {
  const go = `${trace}.go`;
  const waiting = `until [ -e "${go}" ]; do sleep 0.02; done`;
  await setCommands({
    before_save: [`sh -c '${waiting}; false' &`],
    after_save: [`sh -c '${waiting}; echo > "${trace}"' &`],
  });
  // Both commands end only after the response was sent.
  expect((await request('PUT', 'keep.txt', 'old')).status).toBe(200);
  await expect(stat(trace)).rejects.toThrow();
  await writeFile(go, '');
  await expect.poll(async () => (await stat(trace).catch(() => null))?.size).toBe(1);
});

test('a command that does not end is stopped', async () => {
  await setCommands({ before_save: ['sleep 9998'] });
  // The command itself would outlast the test.
  expect((await request('PUT', 'keep.txt', 'new')).status).toBe(500);
});

test.each(['echo a; touch M', 'echo "open', 'nosuchprogram', ''])(
  'a save with the hook line “%s” fails unless the line is empty',
  async (line) => {
    await setCommands({ before_save: [line] });
    expect((await request('PUT', 'keep.txt', 'old')).status).toBe(line === '' ? 200 : 500);
  },
);

test('a hook gets an allow-list of the server’s environment and does not use the shell of the settings', async () => {
  process.env.FILESTEAD_PASSWORD = 'canary-1';
  process.env.DEPLOY_TOKEN = 'canary-2';
  process.env.FOR_HOOKS = 'hidden';
  try {
    const other = await startApp({
      config: { enableExec: 'on' },
      settings: {
        shell: ['sh', '-c'],
        commands: { after_upload: [`sh -c 'env > "${trace}"'`, `echo a > ${trace}.shell`] },
      },
    });
    const token = await other.signIn('admin');
    await other.fetch('/api/resources/x.txt', { method: 'POST', token, body: 'x' });
    await other.close();
    const text = await readFile(trace, 'utf8');
    expect(text).toMatch(/^PATH=/m);
    expect(text).not.toMatch(/canary|NODE_OPTIONS|FOR_HOOKS/);
    await expect(stat(`${trace}.shell`)).rejects.toThrow();
  } finally {
    delete process.env.FILESTEAD_PASSWORD;
    delete process.env.DEPLOY_TOKEN;
    delete process.env.FOR_HOOKS;
  }
});

test('without a sandbox the shell of the settings reads whole lines, and names stay values', async () => {
  const other = await startApp({
    config: { enableExec: 'on', execUnsandboxed: 'on' },
    settings: {
      shell: ['sh', '-c'],
      commands: { after_upload: [`printf "%s\\n" "$FILE" | tr a-z A-Z > "${trace}"`] },
    },
  });
  try {
    const token = await other.signIn('admin');
    const name = '$(touch M).txt';
    await other.fetch(`/api/resources/${encodeURIComponent(name)}`, { method: 'POST', token, body: 'x' });
    expect((await readFile(trace, 'utf8')).trim()).toBe(join(other.root, name).toUpperCase());
    expect(await readdir(other.root)).not.toContain('M');
  } finally {
    await other.close();
  }
});

test('the commands of a deletion forever get the file of a version, and one that fails keeps the version', async () => {
  await writeFile(join(root, 'versioned.txt'), 'first');
  await setCommands({});
  expect((await request('PUT', 'versioned.txt', 'second')).status).toBe(200);
  const list = async (): Promise<{ id: string }[]> => {
    const response = await app.fetch('/api/versions/list/versioned.txt', { token: alice });
    return ((await response.json()) as { versions: { id: string }[] }).versions;
  };
  const [version] = await list();
  const remove = async (): Promise<number> =>
    (await app.fetch(`/api/versions/${version?.id}`, { method: 'DELETE', token: alice })).status;
  await setCommands({ before_purge: ['sh -c "exit 3"'] });
  expect(await remove()).toBe(500);
  expect(await list()).toHaveLength(1);
  await setCommands({ before_purge: [recordVariables()], after_purge: [recordVariables()] });
  expect(await remove()).toBe(200);
  await expect.poll(recordedVariables).toMatchObject([
    { FILE: join(root, 'versioned.txt'), TRIGGER: 'before_purge', USERNAME: 'alice' },
    { FILE: join(root, 'versioned.txt'), TRIGGER: 'after_purge', USERNAME: 'alice' },
  ]);
  expect(await list()).toEqual([]);
});
