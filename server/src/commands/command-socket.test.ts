import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasSandbox } from '../../test/has-sandbox.ts';
import { isRunning } from '../../test/is-running.ts';
import { openSocket, talk } from '../../test/open-socket.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { allowed, execute, auditOf, until } from './commands-testing.ts';

describe('without command execution', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      users: [{ username: 'alice', perm: execute, commands: allowed }],
      settings: {
        shell: ['sh', '-c'],
        commands: { before_upload: ['touch hooked'], after_upload: ['sh -c "touch $FILE.hooked"'] },
      },
    });
  });
  afterAll(() => app.close());

  test.each(['admin', 'alice'])('the socket refuses %s, and no hook runs', async (name) => {
    const token = await app.signIn(name);
    await expect(openSocket(app, '/api/command/', { token })).rejects.toThrow('403');
    const upload = await app.fetch(`/api/resources/${name}.txt`, { method: 'POST', token, body: 'x' });
    expect(upload.status).toBe(200);
    await expect(stat(join(app.root, `${name}.txt.hooked`))).rejects.toThrow();
    expect(await (await app.fetch('/login')).text()).not.toContain('"EnableExec":true');
  });

  test('commands cannot be enabled over HTTP', async () => {
    const token = await app.signIn('admin');
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as object;
    const json = { ...settings, enableExec: true, disableExec: false };
    await app.fetch('/api/settings', { method: 'PUT', token, json });
    await expect(openSocket(app, '/api/command/', { token })).rejects.toThrow('403');
  });
});

describe.each([
  { kind: 'in a sandbox', config: { enableExec: 'on' }, isSandboxed: true },
  { kind: 'without a sandbox', config: { disableExec: 'false', execUnsandboxed: 'on' }, isSandboxed: false },
] as const)('$kind', ({ config, isSandboxed }) => {
  describe.skipIf(isSandboxed && !hasSandbox)('commands', () => {
    let app: TestApp;
    let alice: string;
    let reader: string;
    const run = (line: string, path = '/api/command/', token = alice): Promise<string[]> =>
      talk(app, path, [line], { token }).then(({ lines }) => lines);

    beforeAll(async () => {
      app = await startApp({
        config: { ...config, commandOutput: '100KiB', commandsPerUser: '4', commandsAtOnce: '6' },
        files: {
          'alice/a.txt': 'in a',
          'alice/two words.txt': 'w',
          'alice/sub/b.txt': 'b',
          'alice/secret/c.txt': 'c',
          'alice/secret-file.txt': 'never',
          'bob/canary.txt': 'canary of bob',
        },
        users: [
          {
            username: 'alice',
            scope: '/alice',
            perm: execute,
            commands: allowed,
            rules: [
              { path: '/secret' },
              { path: '/secret-file.txt' },
              { path: '/absent' },
              { path: '/sub' },
              { path: '/sub', allow: true },
            ],
          },
          { username: 'bob', scope: '/bob', commands: allowed },
          {
            username: 'reader',
            scope: '/alice',
            perm: { ...execute, create: false, modify: false },
            commands: allowed,
          },
        ],
      });
      alice = await app.signIn('alice');
      reader = await app.signIn('reader');
    });
    afterAll(() => app.close());

    test('runs an allowed program in the folder of the path and sends one message per line', async () => {
      // Other tests create files beside these.
      expect(await run('ls -d a.txt secret secret-file.txt sub')).toEqual([
        'a.txt',
        'secret',
        'secret-file.txt',
        'sub',
      ]);
      expect(await run('ls', '/api/command/sub')).toEqual(['b.txt']);
      expect(await run('cat "two words.txt" a.txt')).toEqual(['win a']);
      expect(await run('echo')).toEqual(['']);
      expect(await run(`sh -c 'printf "a\\r\\n\\nb"; cat'`)).toEqual(['a', '', 'b']);
    });

    test('sends errors as lines and closes the connection normally', async () => {
      const response = await talk(app, '/api/command/', ['ls missing'], { token: alice });
      expect(response.lines).toHaveLength(1);
      expect(response.lines[0]).toContain('missing');
      expect(response.closeCode).toBe(1000);
    });

    test('sends lines while the program is running', async () => {
      const socket = await openSocket(app, '/api/command/', { token: alice });
      const lines: string[] = [];
      const first = new Promise((resolve) => socket.once('message', resolve));
      socket.on('message', (data: Buffer) => lines.push(data.toString()));
      const ended = new Promise((resolve) => socket.once('close', resolve));
      socket.send(`sh -c 'echo 1; until [ -e continue ]; do sleep 0.02; done; echo 2 >&2'`);
      await first;
      expect(lines).toEqual(['1']);
      await writeFile(join(app.root, 'alice/continue'), '');
      await ended;
      expect(lines).toEqual(['1', '2']);
    });

    test('sends several lines per message in block mode', async () => {
      const many = await talk(app, '/api/command/?blocks=true', [`sh -c 'echo; seq 1 300; printf end'`], {
        token: alice,
      });
      expect(many.lines.length).toBeLessThan(20);
      expect(many.lines.join('\n').split('\n')).toEqual([
        '',
        ...Array.from({ length: 300 }, (_, index) => String(index + 1)),
        'end',
      ]);
      expect(many.closeCode).toBe(1000);
    });

    test('skips blank messages and ignores everything after the first command', async () => {
      const { lines } = await talk(app, '/api/command/', [' ', '', '\t', 'echo one', 'echo two'], {
        token: alice,
      });
      expect(lines).toEqual(['one']);
      expect(await talk(app, '/api/command/', [Buffer.from('echo x')], { token: alice })).toEqual({
        lines: [],
        closeCode: 1003,
      });
      expect((await talk(app, '/api/command/', ['x'.repeat(9_000)], { token: alice })).closeCode).toBe(1009);
    });

    test.each([
      'lsof',
      'l',
      'LS',
      'ls2',
      '/bin/ls',
      'rm a.txt',
      './evil',
      '"ls "',
      'FOO=1 ls',
      'bash',
      'ls.',
      '^ls$',
    ])('“%s” is not allowed, because names must match exactly', async (line) => {
      expect(await run(line)).toEqual(['Command not allowed.']);
    });

    test('reports a missing program as a shell does', async () => {
      expect(await run('nosuchprogram -x')).toEqual([
        'exec: "nosuchprogram": executable file not found in $PATH',
      ]);
    });

    test.each([
      'ls ; touch M',
      'ls && touch M',
      'ls || touch M',
      'ls | touch M',
      'ls & touch M',
      'ls > M',
      'ls >> M',
      'cat < a.txt',
      'ls <(touch M)',
      'echo $(touch M)',
      'ls\ntouch M',
      'ls\r\ntouch M',
      'ls \u2028touch M',
      'ls\u00a0touch',
      'ls *',
      'ls a?txt',
      'ls # touch M',
      'echo "touch M',
      "echo 'touch M",
      'echo touch M\\',
    ])('the command line %j is refused with a reason', async (line) => {
      const lines = await run(line);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^error parsing command: /);
      await expect(stat(join(app.root, 'alice', 'M'))).rejects.toThrow();
    });

    test.each([
      ['echo $HOME ${IFS} ~ {a,b} `touch M` %0a !!', '$HOME ${IFS} ~ {a,b} `touch M` %0a !!'],
      [
        `echo "a;b|c&d>e<f*g?h" '$(touch M)' "$(touch M)" a\\;b \\"`,
        'a;b|c&d>e<f*g?h $(touch M) $(touch M) a;b "',
      ],
    ])('the arguments of “%s” reach the program unchanged', async (line, expected) => {
      expect(await run(line)).toEqual([expected]);
      await expect(stat(join(app.root, 'alice', 'M'))).rejects.toThrow();
    });

    test('gives programs four environment variables and no input', async () => {
      const lines = await run('env');
      const names = lines.map((line) => line.split('=')[0] ?? '').filter((name) => name !== 'PWD');
      expect(names.sort()).toEqual(['HOME', 'LANG', 'PATH', 'TERM']);
      expect(await run('cat')).toEqual([]);
    });

    test.each([
      ['/api/command/missing', '404'],
      ['/api/command/a.txt', '409'],
      ['/api/command/secret', '403'],
      ['/api/command/secret/', '403'],
      ['/api/command//secret', '403'],
      ['/api/command/..', '400'],
      ['/api/command/%2e%2e/bob', '400'],
      ['/api/command/..%2fbob', '400'],
      ['/api/command/%00', '400'],
      ['/api/command/%E0%A4%A', '400'],
    ])('no command runs in %s, and the handshake gets status %s', async (path, status) => {
      // Sent as a raw request, because clients normalize the path.
      const handshake =
        'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ';
      const response = await app.rawRequest(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${alice}\r\n${handshake}dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(response).toContain("content-security-policy: default-src 'none'");
    });

    test('responds with 401 without a session and 403 without the permission', async () => {
      await expect(openSocket(app, '/api/command/')).rejects.toThrow('401');
      await expect(openSocket(app, '/api/command/', { token: 'a.b.c' })).rejects.toThrow('401');
      await expect(openSocket(app, '/api/command/', { token: await app.signIn('bob') })).rejects.toThrow(
        '403',
      );
    });

    test('accepts the token in the query or the cookie', async () => {
      expect(await run('echo hi', `/api/command/?auth=${alice}`, '')).toEqual(['hi']);
      const headers = { cookie: `auth=${alice}`, origin: app.url };
      expect((await talk(app, '/api/command/', ['echo hi'], { headers })).lines).toEqual(['hi']);
      expect(app.log.join('')).not.toContain(alice);
    });

    test.each([
      'https://evil.example',
      'null',
      'http://127.0.0.1.evil.example',
      'http://127.0.0.1:1',
      'http://127.0.0.1',
      'https://own',
      'http://user@own',
    ])('a page of %s gets no connection', async (given) => {
      const origin = given.replace('own', new URL(app.url).host);
      await expect(openSocket(app, '/api/command/', { token: alice, headers: { origin } })).rejects.toThrow(
        '403',
      );
    });

    test('explains that a plain request is not a handshake, and refuses other methods', async () => {
      expect((await app.fetch('/api/command/', { token: alice })).status).toBe(400);
      expect((await app.fetch('/api/command/', { token: alice, method: 'POST', body: 'ls' })).status).toBe(
        405,
      );
    });

    test('stops a command and its children when the client disconnects', async () => {
      const seconds = String(7_000 + Math.floor(Math.random() * 1_000));
      const socket = await openSocket(app, '/api/command/', { token: alice });
      socket.send(`sh -c 'sleep ${seconds} & sleep ${seconds}'`);
      expect(await until(() => isRunning(seconds))).toBe(true);
      socket.terminate();
      expect(await until(() => !isRunning(seconds))).toBe(true);
      expect(await until(() => auditOf(app).some(({ msg }) => msg === 'command: left'))).toBe(true);
    });

    test('stops a command when its session ends, with another close code than a regular end', async () => {
      const token = await app.signIn('alice');
      const seconds = String(8_000 + Math.floor(Math.random() * 1_000));
      const response = talk(app, '/api/command/', [`sleep ${seconds}`], { token });
      expect(await until(() => isRunning(seconds))).toBe(true);
      expect((await app.fetch('/api/logout', { method: 'POST', token })).status).toBe(200);
      expect(await response).toEqual({ lines: [], closeCode: 1008 });
      expect(await until(() => !isRunning(seconds))).toBe(true);
    });

    test('stops a command that exceeds the output limit, also on one line or for a client that does not read', async () => {
      const lines = await run('yes');
      expect(lines.at(-1)).toBe('Stopped after 102400 bytes of output.');
      expect(lines.slice(0, -1).every((line) => line === 'y')).toBe(true);
      const long = await run(`sh -c 'head -c 150000 /dev/zero | tr "\\0" x'`);
      expect(long.slice(0, -1).map((line) => line.length)).toEqual([65_536, 36_864]);
    });

    test('limits the number of simultaneous connections', async () => {
      const sockets = await Promise.all(
        Array.from({ length: 4 }, () => openSocket(app, '/api/command/', { token: alice })),
      );
      await expect(openSocket(app, '/api/command/', { token: alice })).rejects.toThrow('429');
      const others = await Promise.all([1, 2].map(() => openSocket(app, '/api/command/', { token: reader })));
      await expect(openSocket(app, '/api/command/', { token: reader })).rejects.toThrow('429');
      for (const socket of [...sockets, ...others]) socket.terminate();
      /** Opens many connections at the same time, closes them, and returns how many were accepted. */
      const countAccepted = async (): Promise<number> => {
        const all = await Promise.allSettled(
          Array.from({ length: 30 }, () => openSocket(app, '/api/command/', { token: alice })),
        );
        const open = all.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        for (const socket of open) socket.terminate();
        return open.length;
      };
      // The server notices that a client has left a moment later.
      await expect.poll(countAccepted).toBe(4);
      await expect.poll(() => run('echo again').catch(String)).toEqual(['again']);
    });

    test('logs every command once, without secrets', async () => {
      await run(`echo --password=hunter2 --token hunter2 http://u:hunter2@x`);
      await run('rm x');
      const lines = auditOf(app);
      const echo = lines.find(({ command }) => command?.includes('--password=…') === true);
      expect(echo).toMatchObject({
        msg: 'command: ended',
        exit: 0,
        command: ['echo', '--password=…', '--token', '…', 'http://u:…@x'],
      });
      expect(echo?.user).toBeTypeOf('number');
      expect(lines.at(-1)).toMatchObject({ msg: 'command: refused', command: ['rm', 'x'], exit: null });
    });

    test('refuses WebSockets at other paths, and treats other upgrades there as plain HTTP', async () => {
      await expect(openSocket(app, '/api/settings', { token: alice })).rejects.toThrow('403');
      await expect(openSocket(app, '/health')).rejects.toThrow('200');
      const port = new URL(app.url).port;
      const head = `POST /api/resources/upgraded.txt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Auth: ${alice}\r\n`;
      const response = await app.rawRequest(
        `${head}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 5\r\n\r\nhello`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(await readFile(join(app.root, 'alice', 'upgraded.txt'), 'utf8')).toBe('hello');
    });

    if (isSandboxed) {
      test('shows only the scope and the system’s programs in the sandbox', async () => {
        expect(await run('pwd', '/api/command/sub')).toEqual(['/files/sub']);
        expect(await run('ls /')).toEqual(expect.not.arrayContaining(['home', 'root', 'srv', 'var']));
        expect(
          await run(`cat ${app.root}/bob/canary.txt ../bob/canary.txt /files/../bob/canary.txt`),
        ).toEqual(expect.not.arrayContaining(['canary of bob']));
        expect(await run(`sh -c 'ls /proc | grep -c "^[0-9]"'`)).not.toContain('0');
        expect(await run(`sh -c 'cat /proc/net/dev | grep -c eth'`)).toEqual(['0']);
        expect(await run(`sh -c 'ls -a /etc'`)).not.toContain('shadow');
        expect(await run(`sh -c 'echo x > /usr/x || echo no'`)).toContain('no');
      });

      test('makes files writable only for users with the permissions', async () => {
        expect(await run('touch made.txt')).toEqual([]);
        expect((await stat(join(app.root, 'alice', 'made.txt'))).size).toBe(0);
        expect((await run('touch denied.txt', '/api/command/', reader)).join()).toContain('Read-only');
        await expect(stat(join(app.root, 'alice', 'denied.txt'))).rejects.toThrow();
      });

      test('covers paths that rules deny, for reading and for writing', async () => {
        expect(await run('ls secret')).toEqual([]);
        expect((await run('cat secret/c.txt')).join()).toContain('No such file');
        expect((await run('touch secret/new.txt')).join()).toContain('Read-only');
        expect((await run('cat secret-file.txt')).join()).toContain('Permission denied');
        expect(await run('cat secret/c.txt', '/api/command/', reader)).toEqual(['c']);
      });

      test('kills processes that a command left behind in a new session', async () => {
        const seconds = String(8_000 + Math.floor(Math.random() * 1_000));
        await run(`sh -c 'setsid sleep ${seconds} > /dev/null 2>&1 & echo started'`);
        expect(await until(() => !isRunning(seconds))).toBe(true);
      });
    }
  });
});
