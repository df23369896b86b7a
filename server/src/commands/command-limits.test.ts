import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasSandbox } from '../../test/has-sandbox.ts';
import { openSocket, talk } from '../../test/open-socket.ts';
import { startApp } from '../../test/start-app.ts';
import { execute, auditOf, until } from './commands-testing.ts';

test.skipIf(!hasSandbox)(
  'the server’s own data is hidden from commands when it is in the served folder',
  async () => {
    const app = await startApp({ config: { enableExec: 'on' } });
    const inside = await startApp({
      config: {
        enableExec: 'on',
        root: app.root,
        data: join(app.root, 'data'),
        database: join(app.root, 'own.db'),
      },
      users: [{ username: 'alice', perm: execute, commands: ['ls', 'cat'] }],
    });
    try {
      const token = await inside.signIn('alice');
      const run = (line: string): Promise<string[]> =>
        talk(inside, '/api/command/', [line], { token }).then(({ lines }) => lines);
      expect(await run('ls -A data')).toEqual([]);
      expect((await stat(join(app.root, 'own.db'))).size).toBeGreaterThan(0);
      expect(await run('cat own.db')).toEqual(['cat: own.db: Permission denied']);
    } finally {
      await inside.close();
      await app.close();
    }
  },
);

test('a command is stopped at its time limit', async () => {
  const app = await startApp({
    config: { enableExec: 'on', execUnsandboxed: 'on', commandTimeout: '500ms' },
    users: [{ username: 'alice', perm: execute, commands: ['sleep', 'yes'] }],
  });
  try {
    const token = await app.signIn('alice');
    const { lines } = await talk(app, '/api/command/', ['sleep 9999'], { token });
    expect(lines).toEqual(['Stopped after 0.5 seconds.']);
    const socket = await openSocket(app, '/api/command/', { token });
    const before = process.memoryUsage().rss;
    socket.pause();
    socket.send('yes');
    expect(await until(() => auditOf(app).some(({ command }) => command?.[0] === 'yes'))).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
    socket.terminate();
  } finally {
    await app.close();
  }
});

test('a client in block mode receives no more blocks than it confirms', async () => {
  const app = await startApp({
    config: { enableExec: 'on', execUnsandboxed: 'on' },
    users: [{ username: 'alice', perm: execute, commands: ['yes'] }],
  });
  try {
    const token = await app.signIn('alice');
    const socket = await openSocket(app, '/api/command/?blocks=true', { token });
    let received = 0;
    socket.on('message', (data: Buffer) => {
      received += data.length;
    });
    socket.send('yes');
    expect(await until(() => received > 0)).toBe(true);
    /** Resolves once no output has arrived between several pings and their pongs. */
    const untilQuiet = async (): Promise<number> => {
      let before = -1;
      let quiet = 0;
      while (quiet < 10) {
        socket.ping();
        await new Promise((resolve) => socket.once('pong', resolve));
        expect(received).toBeLessThan(512 * 1024);
        quiet = received === before ? quiet + 1 : 0;
        before = received;
      }
      return received;
    };
    const unconfirmed = await untilQuiet();
    for (let count = 0; count < 20; count += 1) socket.send('');
    expect(await until(() => received > unconfirmed)).toBe(true);
    socket.close();
    expect(await until(() => auditOf(app).some(({ msg }) => msg === 'command: left'))).toBe(true);
  } finally {
    await app.close();
  }
});

test('more origins can be allowed, and the shell in the settings is used without a sandbox', async () => {
  const app = await startApp({
    config: { enableExec: 'on', execUnsandboxed: 'on', allowedOrigins: 'https://files.example.org' },
    users: [{ username: 'alice', perm: execute, commands: ['echo'] }],
    settings: { shell: ['sh', '-c'] },
    files: { 'a.txt': '', 'b.txt': '' },
  });
  try {
    const token = await app.signIn('alice');
    const headers = { origin: 'https://files.example.org' };
    const { lines } = await talk(app, '/api/command/', ['echo *.txt | tr a-z A-Z'], { token, headers });
    expect(lines).toEqual(['A.TXT B.TXT']);
    expect((await talk(app, '/api/command/', ['ls'], { token })).lines).toEqual(['Command not allowed.']);
  } finally {
    await app.close();
  }
});
