import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@filestead/contract/endpoints';
import { describe, expect } from 'vitest';
import { programArgs, programNode } from '../run-main.ts';
import { startApp, testPassword } from '../start-app.ts';
import { prepareStage } from './stage.ts';

const { stage, attack } = prepareStage();

describe('secrets', () => {
  attack('CF-01', async () => {
    const before = process.umask(0);
    const app = await startApp({ files: { 'a.txt': 'a' } });
    try {
      const open: string[] = [];
      const visit = (path: string): void => {
        const stats = lstatSync(path);
        if ((stats.mode & 0o077) !== 0) open.push(`${path} ${(stats.mode & 0o777).toString(8)}`);
        if (stats.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
      };
      visit(app.data);
      expect(open).toEqual([]);
      expect(readdirSync(app.data).length).toBeGreaterThan(0);
    } finally {
      process.umask(before);
      await app.close();
    }
  });

  attack('CF-03', async () => {
    const app = await startApp({ config: { password: '' } });
    try {
      for (const password of ['admin', '', 'password', 'filestead', testPassword]) {
        const response = await app.fetch('/api/login', {
          method: 'POST',
          json: { username: 'admin', password },
        });
        expect(response.status, password).toBe(403);
      }
    } finally {
      await app.close();
    }
  });

  attack('CF-09', async ({ request, keepSecret }) => {
    keepSecret('captcha-secret-of-this-test');
    const app = await startApp({
      config: { 'recaptcha.key': 'public', 'recaptcha.secret': 'captcha-secret-of-this-test' },
    });
    try {
      const page = await app.fetch('/api/openapi.json');
      expect(await page.text()).not.toContain('captcha-secret-of-this-test');
      expect(app.log.join('')).not.toContain('captcha-secret-of-this-test');
    } finally {
      await app.close();
    }
    const { text } = await request('admin', 'GET', '/api/settings');
    expect(text).not.toMatch(/"(?:key|secret|hash|passwordHash|token)"\s*:/);
  });
});

describe('the identity of clients', () => {
  attack('CF-05', async ({ status }) => {
    for (const name of [
      'X-Auth-User',
      'Remote-User',
      'X-Forwarded-User',
      'X-User',
      'x_auth_user',
      'X-Remote-User',
    ]) {
      expect(await status('', 'GET', '/api/users', { headers: { [name]: 'admin' } })).toBe(401);
      expect(await status('', 'POST', '/api/login', { headers: { [name]: 'admin' }, json: {} })).toBe(403);
    }
    const config = { 'auth.method': 'proxy', 'auth.header': 'X-User', trustedProxies: '192.0.2.1' };
    const elsewhere = await startApp({ config });
    const here = await startApp({ config: { ...config, trustedProxies: '127.0.0.1' } });
    try {
      const visit = (app: typeof here, headers: Record<string, string>): Promise<number> =>
        app.fetch('/api/login', { method: 'POST', headers }).then((response) => response.status);
      expect(await visit(elsewhere, { 'x-user': 'admin' })).toBe(403);
      for (const value of ['admin, alice', 'nobody', '', 'admin,admin', ' '])
        expect(await visit(here, { 'x-user': value }), value).toBe(403);
      expect(await visit(here, { x_user: 'admin' })).toBe(403);
      const twice = await here.rawRequest(
        'POST /api/login HTTP/1.1\r\nHost: x\r\nX-User: nobody\r\nX-User: admin\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
      expect(twice).toMatch(/^HTTP\/1\.1 40[13] /);
      expect(await visit(here, { 'x-user': 'admin' })).toBe(200);
    } finally {
      await elsewhere.close();
      await here.close();
    }
  });

  attack('CF-07', async ({ app, status }) => {
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'True-Client-IP']) {
      await status('', 'POST', '/api/login', {
        headers: { [name]: '198.51.100.77' },
        json: { username: 'x', password: 'y' },
      });
    }
    expect(app.log.join('')).not.toContain('198.51.100.77');
    expect(app.log.join('')).toContain('127.0.0.1');
  });

  attack('CF-13', async () => {
    const app = await startApp({ files: { 'a.txt': 'a' }, config: { noauth: 'on' } });
    try {
      const token = (await (await app.fetch('/api/login', { method: 'POST' })).text()).trim();
      expect((await app.fetch('/api/resources/', { token })).status).toBe(200);
      // A session is still required, and commands are disabled.
      expect((await app.fetch('/api/resources/')).status).toBe(401);
      expect((await app.fetch('/api/command/', { token })).status).toBe(403);
    } finally {
      await app.close();
    }
  });
});

describe('internals in responses and logs', () => {
  attack('CF-15', async ({ request }) => {
    const target = (path: string): string =>
      path
        .replace('{id}', 'x')
        .replace('{hash}', '%')
        .replace('{size}', '%00')
        .replace('{ticket}', '..')
        .replace('{feed}', 'x')
        .replace('*', '%ff');
    const expected: Readonly<Record<string, number>> = {
      appendUpload: 400,
      cancelJob: 404,
      cancelPurge: 400,
      changeMarks: 400,
      checkProxy: 404,
      clearRecents: 200,
      compareUpload: 400,
      createArchive: 400,
      createFolderUpload: 400,
      createJob: 400,
      createPublicArchive: 400,
      createResource: 400,
      createShare: 400,
      createUpload: 400,
      createUser: 400,
      deleteResource: 400,
      deleteShare: 400,
      deleteUser: 404,
      deleteVersion: 400,
      discardFolderUpload: 404,
      discardUpload: 404,
      discardUserUpload: 404,
      endSession: 404,
      endUpload: 400,
      findContents: 400,
      findFiles: 400,
      finishBlockedUpload: 400,
      followJobs: 200,
      followLive: 200,
      getApiManual: 200,
      getArchive: 404,
      getArchivePreview: 400,
      getArchiveRaw: 400,
      getFolderMarks: 400,
      getHealth: 200,
      getJob: 404,
      getLive: 200,
      getLiveVersions: 400,
      getMap: 400,
      getMedia: 400,
      getOpenApi: 200,
      getPreview: 400,
      getPublicArchive: 400,
      getPublicDownload: 400,
      getPublicPreview: 400,
      getPublicShare: 400,
      getPublicSubtitle: 400,
      getRaw: 400,
      getReady: 200,
      getResource: 400,
      getSettings: 200,
      getStorage: 200,
      getSubtitle: 400,
      getTotals: 400,
      getTrashItem: 400,
      getTrashPreview: 400,
      getTrashRaw: 400,
      getTusOptions: 400,
      getUpload: 400,
      getUsage: 400,
      getUser: 404,
      getVersion: 400,
      getVersionPreview: 400,
      getVersionRaw: 400,
      listArchiveFolder: 400,
      listArrivedFiles: 404,
      listBelow: 400,
      listDuplicates: 404,
      listFolderUploads: 200,
      listJobs: 200,
      listMarks: 200,
      listMedia: 400,
      listOperations: 200,
      listPublicMedia: 400,
      listRecents: 200,
      listSessions: 200,
      listShares: 200,
      listSharesOfPath: 400,
      listTagged: 400,
      listTrash: 200,
      listTrashFolder: 400,
      listUploads: 200,
      listUserUploads: 200,
      listUserSizes: 409,
      listUsers: 200,
      listVersions: 400,
      login: 403,
      moveResource: 400,
      recordOpened: 400,
      orderFavorites: 400,
      purgeTrash: 400,
      renew: 200,
      restoreTrash: 400,
      restoreVersion: 400,
      rewindFolder: 400,
      rotatePicture: 400,
      runCommand: 400,
      saveResource: 400,
      searchFiles: 400,
      setLiveFolders: 400,
      signup: 405,
      switchRecents: 400,
      undoOperation: 400,
      updateShare: 400,
      updateUser: 400,
      updateVersion: 400,
      uploadFiles: 400,
      updateSettings: 400,
    };
    const streams = new Set(['followJobs', 'followLive']);
    for (const { id, method, path } of endpoints) {
      // These would end the session that asks.
      if (id === 'logout' || id === 'endSessions') continue;
      const check = async (body: string): Promise<void> => {
        const response = await request('admin', method, target(path), {
          body,
          headers: { 'Content-Type': 'application/json' },
          // Streams do not end; what they send at first is read.
          ...(streams.has(id) && { timeoutMs: 3_000 }),
        });
        // An object without a known field changes no setting.
        const isEmptyChange = id === 'updateSettings' && body.startsWith('{"');
        expect(response.status, `${method} ${path} ${body}`).toBe(isEmptyChange ? 200 : expected[id]);
        if (response.status >= 400) expect(response.text.length).toBeLessThan(600);
      };
      const bodies = ['', '{', 'null', '[[[[', '{"what":{}}'];
      if (streams.has(id)) await Promise.all(bodies.map(check));
      else for (const body of bodies) await check(body);
    }
  });

  attack('LG-03', async ({ request, share }) => {
    const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as object;
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(unclosed' } }];
    expect((await request('admin', 'PUT', '/api/settings', { json: { ...settings, rules } })).status).toBe(
      400,
    );
    const { hash } = await share('alice', '/docs/');
    for (const [who, target] of [
      ['alice', '/api/resources/none/none'],
      ['alice', '/api/raw/a.txt/below'],
      ['alice', `/api/resources/${'x'.repeat(300)}`],
      ['', `/api/public/dl/${hash}/none`],
    ] as const) {
      const response = await request(who, 'GET', target, { headers: { Accept: 'application/json' } });
      const problem = JSON.parse(response.text) as Record<string, unknown>;
      expect(
        Object.keys(problem).filter((key) => !/^(?:type|status|title|code|detail|requestId)$/.test(key)),
      ).toEqual([]);
      expect(problem.requestId).toBe(response.headers['x-request-id']);
    }
  });

  attack('LG-01', async ({ request, app }) => {
    const before = app.log.length;
    for (const odd of [
      '%0d%0aINJECTED',
      '%1b[31mINJECTED',
      '%e2%80%a8INJECTED',
      '%00',
      'x'.repeat(20_000),
      '\u2028INJECTED',
      '\u0085INJECTED',
    ]) {
      await request('alice', 'GET', `/api/resources/${odd}`);
      await request('', 'POST', '/api/login', {
        json: { username: decodeURIComponent(odd.replace('%00', '')), password: 'x' },
      });
      await request('alice', 'GET', '/api/resources/', {
        headers: { 'User-Agent': odd, 'X-Request-Id': odd, Referer: odd },
      });
    }
    const lines = app.log.slice(before);
    expect(lines.length).toBeGreaterThan(5);
    // One record a line, each short; the examination after the test looks for control characters.
    for (const line of lines) {
      expect(line.trimEnd()).not.toContain('\n');
      expect(line.length).toBeLessThan(4_096);
      expect(() => void JSON.parse(line)).not.toThrow();
    }
  });

  attack(
    'LG-05',
    async ({ port, token, status }) => {
      // Connections that break at any place of a request: none raises an uncaught exception, which would end the process.
      const request = `POST /api/resources/lg.txt?override=true HTTP/1.1\r\nHost: x\r\nX-Auth: ${token('alice')}\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(500)}`;
      const { connect } = await import('node:net');
      await Promise.all(
        Array.from(
          { length: 60 },
          (_, n) =>
            new Promise<void>((resolve) => {
              const socket = connect(port, '127.0.0.1', () => {
                socket.write(request.slice(0, Math.floor((request.length * (n + 1)) / 60)));
                setTimeout(() => socket.resetAndDestroy(), 20);
              });
              socket.on('error', () => undefined);
              socket.on('close', () => resolve());
            }),
        ),
      );
      expect(await status('alice', 'GET', '/api/resources/lg.txt')).toBe(404);
      expect(await status('alice', 'GET', '/api/resources/')).toBe(200);
    },
    { changes: ['root/users/alice'] },
  );
});

describe('the runtime', () => {
  attack('SC-05', async () => {
    for (const flag of ['--disable-proto=delete', '--disable-proto=throw']) {
      const { status, stdout } = spawnSync(programNode, [flag, ...programArgs, '--version'], {
        encoding: 'utf8',
      });
      expect(status, flag).toBe(0);
      expect(stdout).toMatch(/\d+\.\d+\.\d+/);
    }
    expect(stage().app.instance.server.listening).toBe(true);
  });
});
