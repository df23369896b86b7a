import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rule } from '@filestead/contract/rules';
import type { Settings } from '@filestead/contract/settings';
import { describe, expect } from 'vitest';
import { cpuTimeOfMs } from '../cpu-time.ts';
import { hasSandbox } from '../has-sandbox.ts';
import { openSocket } from '../open-socket.ts';
import { readRequests, unexpectedStatuses, writeRequests } from './file-requests.ts';
import { prepareStage } from './stage.ts';

const path = (path: string, allow = false): Rule => ({ regex: false, allow, path, regexp: null });
const pattern = (raw: string, allow = false): Rule => ({ regex: true, allow, path: '', regexp: { raw } });
const { stage, attack } = prepareStage(
  {
    config: { enableExec: 'on' },
    settings: { rules: [path('/docs/secret'), path('/arch/secret')] },
  },
  {
    opensFor: 'each test',
    async prepare({ deny, addUser, plant, folder }) {
      await addUser('runner', { execute: true, download: true }, { commands: ['ls'] });
      deny('root/users/alice/docs/secret');
      deny('root/users/runner/docs/secret');
      await plant('root/users/alice/src/secret/f.txt', ['alice', 'admin']);
      await mkdir(join(folder, 'root/users/alice/arch'));
      await symlink('docs/secret', join(folder, 'root/users/alice/alias'));
    },
  },
);
const inside = ['root/users/alice'];

async function setRules(rules: readonly Rule[]): Promise<number> {
  const { request, status } = stage();
  const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
  return status('admin', 'PUT', '/api/settings', { json: { ...settings, rules } });
}

describe('spellings', () => {
  attack(
    'RU-01',
    async (stage) => {
      for (const prefix of ['/', '//', '////', '/%2f', '/%2f/%2F']) {
        const rows = [
          ...readRequests(`${prefix}/docs/secret/deny.txt`),
          ...writeRequests(`${prefix}/docs/secret/deny.txt`),
        ];
        expect(await unexpectedStatuses(stage, 'alice', rows, 403)).toEqual([]);
        for (const target of [`/api/resources${prefix}/docs/secret/`, `/api/raw${prefix}/docs/secret`]) {
          expect(await stage.status('alice', 'GET', target)).toBe(403);
        }
      }
      expect(await stage.status('alice', 'GET', '/api/raw////docs/ok.txt')).toBe(200);
    },
    { changes: inside },
  );

  attack('RU-03', async ({ status }) => {
    for (const named of [
      '/docs/secret/',
      '/docs/secret//',
      '/docs//secret/deny.txt',
      '/docs/secret/deny.txt/',
      '/docs/./secret',
    ]) {
      for (const prefix of ['/api/resources', '/api/raw', '/api/recursive']) {
        expect(await status('alice', 'GET', `${prefix}${named}`), named).toBe(403);
      }
    }
    for (const other of [
      '/docs/secret%20',
      '/docs/secret.',
      '/docs/secret;x',
      '/docs/secret%09',
      '/docs/secre',
    ]) {
      expect(await status('alice', 'GET', `/api/raw${other}`), other).toBe(404);
    }
  });

  attack(
    'RU-05',
    async ({ status, plant }) => {
      await plant('root/users/alice/docs/Secret/x.txt', ['alice', 'admin']);
      expect(await status('alice', 'GET', '/api/raw/docs/Secret/x.txt')).toBe(200);
      expect(await status('alice', 'GET', '/api/raw/docs/Secret/deny.txt')).toBe(404);
      expect(await status('alice', 'GET', '/api/raw/DOCS/secret/deny.txt')).toBe(404);
    },
    { changes: inside },
  );

  attack('RU-17', async (stage) => {
    expect(await unexpectedStatuses(stage, 'alice', readRequests('/alias/deny.txt'), 403)).toEqual([]);
    expect(await unexpectedStatuses(stage, 'alice', writeRequests('/alias/deny.txt'), 403)).toEqual([]);
    expect(await unexpectedStatuses(stage, 'alice', writeRequests('/alias/new.txt'), 403)).toEqual([]);
    expect(await stage.status('alice', 'GET', '/api/resources/alias/')).toBe(403);
  });
});

describe('moving and copying', () => {
  attack('RU-07', async ({ status }) => {
    for (const action of ['copy', 'rename']) {
      for (const [destination, wanted] of [
        ['/docs/secret/n.txt', 403],
        ['/docs/secret', 403],
        ['/docs/secret/sub/n.txt', 403],
        ['/docs/x/../secret/n.txt', 400],
        ['/docs/%252e%252e/docs/secret/n.txt', 400],
        ['//docs//secret//n.txt', 403],
        ['%252Fdocs%252Fsecret%252Fn.txt', 403],
      ] as const) {
        const target = `/api/resources/docs/ok.txt?action=${action}&destination=${destination}`;
        expect(await status('alice', 'PATCH', target), target).toBe(wanted);
      }
    }
  });

  attack('RU-09', async ({ status, request }) => {
    for (const action of ['rename', 'copy']) {
      expect(await status('alice', 'PATCH', `/api/resources/docs?action=${action}&destination=/moved`)).toBe(
        403,
      );
    }
    expect(await status('alice', 'DELETE', '/api/resources/docs')).toBe(403);
    for (const kind of ['move', 'copy', 'delete']) {
      const json = { kind, items: [{ from: '/docs', to: '/moved' }] };
      const job = JSON.parse((await request('alice', 'POST', '/api/jobs', { json })).text) as { id: string };
      await expect
        .poll(
          async () =>
            (JSON.parse((await request('alice', 'GET', `/api/jobs/${job.id}`)).text) as { state: string })
              .state,
        )
        .toBe('failed');
    }
    expect(await status('alice', 'GET', '/api/raw/moved/secret/deny.txt')).toBe(404);
  });

  attack(
    'RU-11',
    async ({ status, folder }) => {
      for (const action of ['rename', 'copy']) {
        for (const more of ['', '&override=true']) {
          // Into the existing folder, and in its place.
          expect(
            await status('alice', 'PATCH', `/api/resources/src?action=${action}&destination=/arch${more}`),
          ).toBe(more === '' ? 409 : 403);
        }
      }
      mkdirSync(join(folder, 'root/users/alice/tmp'));
      writeFileSync(join(folder, 'root/users/alice/tmp/f'), 'x');
      expect(
        await status('alice', 'PATCH', '/api/resources/tmp?action=rename&destination=/arch/secret'),
      ).toBe(403);
      expect(await status('alice', 'PATCH', '/api/resources/tmp?action=rename&destination=/arch/open')).toBe(
        200,
      );
    },
    { changes: [...inside] },
  );
});

attack('RU-13', async ({ request, status }) => {
  for (const target of [
    '/api/search/?query=deny',
    '/api/search/docs/?query=secret',
    '/api/search/?query=type:text%20deny',
    '/api/recursive/docs',
  ]) {
    const { status: code, text } = await request('alice', 'GET', target);
    expect(code).toBe(200);
    expect(text, target).not.toMatch(/docs\/secret|deny\.txt|"secret"/);
  }
  for (const base of ['/docs/secret', '/docs/secret/', '/docs//secret', '/docs/secret/none']) {
    expect(await status('alice', 'GET', `/api/search${base}?query=x`)).toBe(403);
  }
  expect((await request('alice', 'GET', '/api/search/?query=ok')).text).toContain('docs/ok.txt');
});

attack('RU-15', async ({ share, status, request, letRead, deny }) => {
  const { hash } = await share('alice', '/docs/');
  letRead('', 'root/users/alice/docs');
  deny('root/users/alice/docs/secret');
  for (const below of ['secret/', 'secret', 'secret/deny.txt', '/secret//deny.txt', 'secret%2Fdeny.txt']) {
    for (const prefix of ['share', 'dl', 'preview/big']) {
      expect(await status('', 'GET', `/api/public/${prefix}/${hash}/${below}`)).toBe(403);
    }
  }
  for (const query of ['?files=secret', '?files=secret%2Fdeny.txt', '?files=ok.txt,secret']) {
    expect(await status('', 'GET', `/api/public/dl/${hash}/${query}`)).toBe(403);
  }
  const archive = await request('', 'GET', `/api/public/dl/${hash}/?algo=tar`);
  expect([archive.body.includes('ok.txt'), archive.body.includes('deny.txt')]).toEqual([true, false]);
  expect((await request('', 'GET', `/api/public/share/${hash}`)).text).not.toContain('secret');
  expect(await status('alice', 'POST', '/api/share/docs/secret', { json: {} })).toBe(403);
});

describe('the order of rules', () => {
  attack(
    'RU-19',
    async ({ app, request, status, plant }) => {
      for (const file of ['p/q/in.txt', 'p/r.txt'])
        await plant(`root/users/ruled/${file}`, ['admin', 'ruled']);
      const tryRules = async (global: readonly Rule[], own: readonly Rule[]): Promise<number[]> => {
        expect(await setRules(global)).toBe(200);
        const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as {
          id: number;
          username: string;
        }[];
        const id = users.find(({ username }) => username === 'ruled')?.id;
        const json = { what: 'user', which: ['rules'], data: { id, rules: own } };
        expect(await status('admin', 'PUT', `/api/users/${id}`, { json })).toBe(200);
        const targets = [
          '/api/raw/p/q/in.txt',
          '/api/raw/p/r.txt',
          '/api/resources/p/q/in.txt',
          '/api/resources/p/r.txt',
        ];
        const statuses = [];
        for (const target of targets) statuses.push(await status('ruled', 'GET', target));
        return statuses;
      };
      await app.createUser({ username: 'ruled', scope: '/users/ruled' });
      await stage().signIn('ruled');
      expect(await tryRules([path('/p')], [path('/p/q', true)])).toEqual([200, 403, 200, 403]);
      expect(await tryRules([path('/p', true)], [path('/p/q')])).toEqual([403, 200, 403, 200]);
      expect(await tryRules([path('/p'), path('/p', true)], [])).toEqual([200, 200, 200, 200]);
      expect(await tryRules([path('/p', true), path('/p')], [])).toEqual([403, 403, 403, 403]);
      expect(await tryRules([pattern('^/p/')], [path('/p/r.txt', true)])).toEqual([403, 200, 403, 200]);
      const listing = await request('ruled', 'GET', '/api/resources/p/');
      expect([listing.text.includes('r.txt'), listing.text.includes('"q"')]).toEqual([true, false]);
    },
    { changes: ['root/users/ruled', 'root/users'] },
  );

  attack(
    'RU-21',
    async ({ request, folder }) => {
      const name = `${'a'.repeat(60)}!`;
      writeFileSync(join(folder, 'root/users/alice', name), 'x');
      // [pattern, status of saving it, statuses of reading the file, listing the root and searching it]
      const outcomes: readonly (readonly [string, number, readonly number[]])[] = [
        ['^/(a+)+$', 200, [200, 200, 200]],
        ['(a|aa)+$', 200, [200, 200, 200]],
        // Matches the root: "/" and nothing after it.
        ['^/(a|a)*$', 200, [200, 403, 403]],
        // Patterns that cannot be matched in linear time are refused, and the previous rule stays.
        ['(?=a)b', 400, [200, 403, 403]],
        ['(.*)\\1', 400, [200, 403, 403]],
        ['^/([a-z]+)*$', 200, [200, 403, 403]],
        // Matches every path.
        [`${'(a?){50}'.repeat(10)}$`, 200, [403, 403, 403]],
      ];
      for (const [raw, saved, reads] of outcomes) {
        const timeMs = await cpuTimeOfMs(async () => {
          expect(await setRules([pattern(raw)]), raw).toBe(saved);
          const statuses: number[] = [];
          for (const target of [`/api/raw/${name}`, '/api/resources/', '/api/search/?query=a']) {
            statuses.push((await request('alice', 'GET', target)).status);
          }
          expect(statuses, raw).toEqual(reads);
        });
        expect(timeMs, raw).toBeLessThan(3_000);
      }
      expect(await setRules([])).toBe(200);
    },
    { changes: inside },
  );

  attack('RU-23', async (stage) => {
    expect(await setRules([pattern('secret')])).toBe(200);
    const responses = Array.from({ length: 50 }, () =>
      stage.status('alice', 'GET', '/api/raw/docs/secret/deny.txt'),
    );
    for (let round = 0; round < 10; round++)
      responses.push(stage.status('alice', 'GET', '/api/raw/docs/secret/deny.txt'));
    expect(new Set(await Promise.all(responses))).toEqual(new Set([403]));
    expect(await setRules([path('/docs/secret')])).toBe(200);
  });

  attack('RU-25', async ({ app, token }) => {
    for (const below of ['docs/secret/', 'docs/secret', 'docs//secret/']) {
      await expect(openSocket(app, `/api/command/${below}`, { token: token('runner') })).rejects.toThrow(
        '403',
      );
    }
    if (!hasSandbox) return;
    const socket = await openSocket(app, '/api/command/docs/', { token: token('runner') });
    socket.close();
  });
});
