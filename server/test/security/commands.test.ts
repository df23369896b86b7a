import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings, commandEvents } from '@filestead/contract/settings';
import { beforeAll, describe, expect } from 'vitest';
import { hasSandbox } from '../has-sandbox.ts';
import { openSocket, talk } from '../open-socket.ts';
import { prepareStage, type Stage } from './stage.ts';

async function setCommands(stage: Stage, commands: object, more: object = {}): Promise<number> {
  const settings = JSON.parse((await stage.request('admin', 'GET', '/api/settings')).text) as Settings;
  return stage.status('admin', 'PUT', '/api/settings', { json: { ...settings, commands, ...more } });
}

describe('with commands disabled', () => {
  const { stage, attack } = prepareStage();

  attack(
    'CX-01',
    async ({ request, status, app, token }) => {
      const marker = join(tmpdir(), `filestead-marker-${process.pid}`);
      const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as {
        id: number;
        username: string;
        perm: object;
      }[];
      const admin = users.find(({ username }) => username === 'admin');
      const json = {
        what: 'user',
        which: ['perm', 'commands'],
        data: { id: admin?.id, perm: { ...admin?.perm, execute: true }, commands: ['sh', 'touch'] },
      };
      expect(await status('admin', 'PUT', `/api/users/${admin?.id}`, { json })).toBe(200);
      const more = { shell: ['sh', '-c'], enableExec: true, disableExec: false };
      expect(
        await setCommands(
          stage(),
          { after_upload: [`touch ${marker}`], before_upload: [`touch ${marker}`] },
          more,
        ),
      ).toBe(200);
      await expect(openSocket(app, '/api/command/', { token: token('admin') })).rejects.toThrow(/403|404/);
      expect(await status('alice', 'POST', '/api/resources/up.txt', { body: 'x' })).toBe(200);
      expect(await status('alice', 'DELETE', '/api/resources/up.txt')).toBe(200);
      expect(existsSync(marker)).toBe(false);
      expect(await setCommands(stage(), {})).toBe(200);
    },
    { changes: ['root/users/alice'] },
  );

  attack('CX-15', async ({ request }) => {
    const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
    for (const commands of [
      '{"__proto__":["x"]}',
      '{"constructor":["x"]}',
      '{"after_hack":["x"]}',
      '{"after_upload":"text"}',
      '{"after_upload":[["x"]]}',
      '{"after_upload":{"0":"x"}}',
    ]) {
      const body = JSON.stringify({ ...settings, commands: 0 }).replace(
        '"commands":0',
        `"commands":${commands}`,
      );
      // A list of lines is accepted under any key; other values are not.
      const { status } = await request('admin', 'PUT', '/api/settings', { body });
      expect(status, commands).toBe(/:\["x"\]/.test(commands) ? 200 : 400);
      const stored = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
      // Keys that are not events are kept as existing clients sent them, and never run.
      expect(({} as { x?: unknown }).x).toBeUndefined();
      expect(Object.getPrototypeOf(stored.commands)).toBe(Object.prototype);
      for (const event of commandEvents) expect(stored.commands[event]).toEqual([]);
    }
  });

  attack(
    'CX-11',
    async ({ status, request, folder }) => {
      for (const name of ['$(touch M)', '";touch M;"', '`touch M`', '-rf', '|touch M', '&touch M&']) {
        mkdirSync(join(folder, 'root/users/alice', name));
        const path = encodeURIComponent(name);
        expect(await status('alice', 'POST', `/api/resources/${path}/movie.mp4`, { body: 'x' })).toBe(200);
        for (const [target, expected] of [
          [`/api/usage/${path}`, 200],
          [`/api/preview/thumb/${path}/movie.mp4`, 501],
          [`/api/raw/${path}/?algo=zip`, 200],
          [`/api/search/${path}?query=movie`, 200],
          [`/api/resources/${path}/movie.mp4?checksum=md5`, 200],
        ] as const) {
          expect((await request('alice', 'GET', target)).status, target).toBe(expected);
        }
        expect(await status('alice', 'DELETE', `/api/resources/${path}`)).toBe(200);
      }
      for (const directory of [folder, join(folder, 'root'), join(folder, 'root/users/alice'), process.cwd()])
        expect(existsSync(join(directory, 'M'))).toBe(false);
    },
    { changes: ['root/users/alice'] },
  );
});

describe('with commands enabled', () => {
  const { stage, attack } = prepareStage({ config: { enableExec: 'on', commandsPerUser: '4' } });
  beforeAll(async () => {
    const perm = { execute: true, create: true, modify: true, download: true };
    await stage().addUser('runner', perm, { commands: ['ls', 'echo', 'env', 'cat', 'git', 'find', 'sh'] });
    await stage().addUser('plain', { download: true });
  });
  const run = (line: string): Promise<string[]> =>
    talk(stage().app, '/api/command/', [line], { token: stage().token('runner') }).then(({ lines }) => lines);

  attack('WS-01', async ({ app, token }) => {
    for (const origin of [
      'https://evil.example',
      'null',
      `${app.url}.evil.example`,
      'http://127.0.0.1:1',
      app.url.replace('http:', 'https:'),
    ]) {
      for (const headers of [{ origin, cookie: `auth=${token('runner')}` }, { origin }]) {
        await expect(openSocket(app, `/api/command/?auth=${token('runner')}`, { headers })).rejects.toThrow(
          '403',
        );
      }
    }
    if (!hasSandbox) return;
    const own = await openSocket(app, '/api/command/', {
      token: token('runner'),
      headers: { origin: app.url },
    });
    own.close();
  });

  attack('WS-03', async ({ app, token }) => {
    for (const who of ['plain', 'alice', 'admin']) {
      if (who === 'admin') continue;
      await expect(openSocket(app, '/api/command/', { token: token(who) }), who).rejects.toThrow('403');
    }
    await expect(openSocket(app, '/api/command/')).rejects.toThrow('401');
  });

  attack('WS-05', async ({ app, token }) => {
    if (!hasSandbox) return;
    const as = { token: token('runner') };
    expect((await talk(app, '/api/command/', ['echo one', 'echo two'], as)).lines).toEqual(['one']);
    expect((await talk(app, '/api/command/', [Buffer.from('echo x')], as)).closeCode).toBe(1003);
    expect((await talk(app, '/api/command/', ['x'.repeat(9_000)], as)).closeCode).toBe(1009);
    expect((await talk(app, '/api/command/', ['x'.repeat(10_000_000)], as)).closeCode).toBe(1009);
  });

  attack(
    'CX-03',
    async ({ folder }) => {
      if (!hasSandbox) return;
      for (const line of [
        'ls ; touch M',
        'ls && touch M',
        'ls | touch M',
        'ls & touch M',
        'ls\ntouch M',
        'ls $(touch M)',
        'echo `touch M`',
        'ls > M',
        'ls <(touch M)',
        'echo ${IFS}',
        'ls ~',
        'ls *',
        'ls\u2028touch M',
        'ls %0a touch M',
        '/bin/ls',
        './ls',
        'touch M',
      ]) {
        await run(line);
      }
      expect(existsSync(join(folder, 'root/users/runner/M'))).toBe(false);
    },
    { changes: ['root/users/runner'] },
  );

  attack(
    'CX-05',
    async ({ folder }) => {
      if (!hasSandbox) return;
      // A program and its children see the scope of their user and nothing of the server.
      const found = await run(
        `sh -c 'cat ${folder}/data/filestead.db ${folder}/out/canary-out.txt ${folder}/root/canary-root.txt ../bob/a.txt; ls ${folder}; touch ${folder}/out/made'`,
      );
      expect(found.join('\n')).not.toMatch(/SQLite format/);
      for (const path of ['out/canary-out.txt', 'root/canary-root.txt', 'root/users/bob/a.txt'])
        expect(found.join('\n')).not.toContain(stage().canary(path));
      expect(existsSync(join(folder, 'out/made'))).toBe(false);
      expect((await run('find . -exec env ;')).join('\n')).not.toMatch(/FILESTEAD|npm_|VITEST/);
    },
    { changes: ['root/users/runner'] },
  );

  attack(
    'CX-07',
    async ({ folder, status }) => {
      if (!hasSandbox) return;
      const script = '#!/bin/sh\ntouch M\n';
      expect(await status('runner', 'POST', '/api/resources/ls?override=true', { body: script })).toBe(200);
      writeFileSync(join(folder, 'root/users/runner/echo'), script, { mode: 0o755 });
      await run('ls');
      expect(await run('echo hello')).toEqual(['hello']);
      expect(existsSync(join(folder, 'root/users/runner/M'))).toBe(false);
    },
    { changes: ['root/users/runner'] },
  );

  attack(
    'CX-09',
    async (stage) => {
      const { folder, status } = stage;
      expect(
        await setCommands(stage, {
          after_upload: ['echo $FILE', 'printf %s $FILE'],
          after_rename: ['echo $FILE $DESTINATION'],
        }),
      ).toBe(200);
      for (const name of [
        '$(touch M).txt',
        '`touch M`',
        'a;touch M;.txt',
        'a"; touch M; "',
        "'; touch M; '",
        '-rf',
        '--help',
        '${IFS}touch',
        '$FILE',
      ]) {
        const path = encodeURIComponent(name);
        expect(await status('alice', 'POST', `/api/resources/${path}`, { body: 'x' }), name).toBe(200);
        expect(
          await status(
            'alice',
            'PATCH',
            `/api/resources/${path}?action=rename&destination=${encodeURIComponent(`/to ${path}`)}`,
          ),
          name,
        ).toBe(200);
      }
      // The commands have ended: the server responds only after them.
      for (const directory of [folder, join(folder, 'root'), join(folder, 'root/users/alice'), process.cwd()])
        expect(existsSync(join(directory, 'M'))).toBe(false);
      expect(await setCommands(stage, {})).toBe(200);
    },
    { changes: ['root'] },
  );

  attack('CX-17', async ({ app }) => {
    if (!hasSandbox) return;
    const before = app.log.length;
    await run('echo hello --password=hunter2');
    await run('rm -rf /');
    const audit = app.log
      .slice(before)
      .map(
        (line) => JSON.parse(line) as { msg: string; user?: number; address?: string; command?: string[] },
      );
    const lines = audit.filter(({ msg }) => msg.startsWith('command:'));
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).toMatchObject({ user: expect.any(Number), address: '127.0.0.1' });
    expect(app.log.slice(before).join('')).not.toContain('hunter2');
  });
});
