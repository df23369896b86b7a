import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareStage } from './stage.ts';

// Without a named file the server reads its configuration from the folder it is started in, which is the folder that it
// serves by default: a user who could write it there would control authentication and commands of the next start.
const { stage } = prepareStage(
  { startsInRoot: true, files: { 'sub/x.txt': 'x' } },
  {
    opensFor: 'each test',
    async prepare({ app, addUser, keepSecret, letRead }) {
      await addUser(
        'keeper',
        { create: true, modify: true, rename: true, delete: true, download: true, share: true },
        { scope: '/' },
      );
      writeFileSync(join(app.root, present), 'recaptcha.secret: never to be shown\n');
      keepSecret('never to be shown');
      letRead('keeper', 'root');
    },
  },
);
const status = (method: string, target: string, sent = {}): Promise<number> =>
  stage().status('keeper', method, target, sent);
const present = '.filestead.yaml';
const absent = ['.filestead.yml', '.filestead.json', '.filebrowser.json', '.FileStead.JSON'];
const planted = 'auth.method: noauth\n';

test('the configuration file in the served folder cannot be read, replaced, moved, copied or removed', async () => {
  const { app } = stage();
  for (const target of [
    `/api/raw/${present}`,
    `/api/resources/${present}`,
    `/api/resources/${present}?checksum=sha256`,
    `/api/raw/?files=${present}`,
    `/api/preview/thumb/${present}`,
  ]) {
    expect(await status('GET', target), target).toBe(404);
  }
  expect((await stage().request('keeper', 'GET', '/api/resources/')).text).not.toContain(present);
  expect((await stage().request('keeper', 'GET', '/api/search/?query=filestead')).text).not.toContain(
    present,
  );
  expect((await stage().request('keeper', 'GET', '/api/raw/?algo=tar')).text).not.toContain(present);
  expect(await status('POST', `/api/share/${present}`, { json: {} })).toBe(404);
  const before = readFileSync(join(app.root, present), 'utf8');
  expect(await status('PUT', `/api/resources/${present}`, { body: planted })).toBe(404);
  expect(await status('DELETE', `/api/resources/${present}`)).toBe(404);
  for (const action of ['copy', 'rename']) {
    expect(await status('PATCH', `/api/resources/${present}?action=${action}&destination=/taken.txt`)).toBe(
      404,
    );
  }
  expect(readFileSync(join(app.root, present), 'utf8')).toBe(before);
});

test('no request can create a configuration file for the next start', async () => {
  for (const name of [present, ...absent]) {
    expect(await status('POST', `/api/resources/${name}?override=true`, { body: planted }), name).toBe(403);
    expect(await status('PUT', `/api/resources/${name}`, { body: planted }), name).toBe(404);
    expect(await status('POST', `/api/resources/${name}/`), name).toBe(403);
    const headers = { 'Upload-Length': '3', 'Tus-Resumable': '1.0.0' };
    expect(await status('POST', `/api/tus/${name}?override=true`, { headers }), name).toBe(403);
    for (const action of ['copy', 'rename']) {
      const query = `action=${action}&destination=/${name}&override=true`;
      expect(await status('PATCH', `/api/resources/sub/x.txt?${query}`), name).toBe(403);
    }
  }
  expect(await status('GET', '/api/resources/sub/x.txt')).toBe(200);
});

test('files of the same names in other folders are served', async () => {
  stage().allowed.push('root/sub');
  expect(await status('POST', `/api/resources/sub/${present}`, { body: 'mine' })).toBe(200);
  expect((await stage().request('keeper', 'GET', `/api/raw/sub/${present}`)).text).toBe('mine');
});
