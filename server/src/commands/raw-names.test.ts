import fs from 'node:fs';
import { join } from 'node:path';
import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import { encodePath } from '@filestead/contract/paths/virtual-path';
import type { Settings } from '@filestead/contract/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasSandbox } from '../../test/has-sandbox.ts';
import { talk } from '../../test/open-socket.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

/** Disk names are written with one character for each byte. */
const bytes = (disk: string): Buffer => Buffer.from(disk, 'latin1');
const spelled = (disk: string): string => nameOfBytes(bytes(disk));
const folder = 'f\xfcr';

describe.each([
  { kind: 'in a sandbox', config: { enableExec: 'on' }, isSandboxed: true },
  { kind: 'without a sandbox', config: { disableExec: 'false', execUnsandboxed: 'on' }, isSandboxed: false },
] as const)('a name that is not UTF-8, $kind', ({ config, isSandboxed }) => {
  describe.skipIf(isSandboxed && !hasSandbox)('in a command', () => {
    let app: TestApp;
    let alice: string;
    const diskPath = (disk: string): Buffer => Buffer.concat([Buffer.from(`${app.root}/`), bytes(disk)]);
    const run = async (line: string, path: string): Promise<string[]> =>
      (await talk(app, `/api/command${encodePath(spelled(path))}`, [line], { token: alice })).lines;

    beforeAll(async () => {
      app = await startApp({
        config,
        users: [
          {
            username: 'alice',
            scope: '/alice',
            perm: { execute: true },
            commands: ['cat', 'ls'],
            rules: [{ path: spelled(`/${folder}/secr\xe8t`) }],
          },
        ],
      });
      fs.mkdirSync(diskPath(`alice/${folder}/secr\xe8t`), { recursive: true });
      fs.writeFileSync(diskPath(`alice/${folder}/caf\xe9`), 'coffee');
      fs.writeFileSync(diskPath(`alice/${folder}/secr\xe8t/canary`), 'canary');
      alice = await app.signIn('alice');
    });
    afterAll(() => app.close());

    test('leads to its working folder', async () => {
      expect(await run('ls', `/${folder}`)).toHaveLength(2);
    });

    test('has the bytes of the disk in its words', async () => {
      expect(await run(`cat ${spelled('caf\xe9')}`, `/${folder}`)).toEqual(['coffee']);
      expect(await run(`cat ${spelled(`${folder}/caf\xe9`)}`, '/')).toEqual(['coffee']);
    });

    test.runIf(isSandboxed)('is hidden by a rule, and nothing is created in its place', async () => {
      expect(await run(`ls ${spelled(`${folder}/secr\xe8t`)}`, '/')).toEqual([]);
      expect(fs.readdirSync(diskPath(`alice/${folder}`), { encoding: 'buffer' }).map(String)).toHaveLength(2);
      expect(fs.readFileSync(diskPath(`alice/${folder}/secr\xe8t/canary`), 'utf8')).toBe('canary');
    });
  });
});

test('hooks get names with the bytes of the disk in their variables and words', async () => {
  const app = await startApp({ config: { enableExec: 'on' } });
  try {
    const token = await app.signIn('admin');
    const trace = join(app.data, 'trace');
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
    const line = `sh -c 'printf "%s\\n" "$FILE" "$DESTINATION" "$1" > "${trace}"' sh $FILE`;
    const json = { ...settings, commands: { ...settings.commands, after_rename: [line] } };
    expect((await app.fetch('/api/settings', { method: 'PUT', token, json })).status).toBe(200);
    fs.writeFileSync(bytes(`${app.root}/caf\xe9.txt`), '');
    const from = encodePath(spelled('/caf\xe9.txt'));
    const to = encodeURIComponent(encodePath(spelled('/th\xe9.txt')));
    const response = await app.fetch(`/api/resources${from}?action=rename&destination=${to}`, {
      method: 'PATCH',
      token,
    });
    expect(response.status).toBe(200);
    expect(fs.readFileSync(trace, 'latin1').split('\n')).toEqual([
      `${app.root}/caf\xe9.txt`,
      `${app.root}/th\xe9.txt`,
      `${app.root}/caf\xe9.txt`,
      '',
    ]);
  } finally {
    await app.close();
  }
});
