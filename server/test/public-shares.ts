import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import type { Share } from '@filestead/contract/shares';
import { afterAll, beforeAll } from 'vitest';
import { type TestApp, startApp } from './start-app.ts';

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const password = 'let me in';
/** A server whose user alice shares a folder with rules, links and hidden names; it runs during the tests that import this. */
export let app: TestApp;
export let admin: string;
export let alice: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      'users/alice/a.txt': 'of alice',
      'users/alice/README': 'a text without an extension',
      'users/alice/docs/ok.txt': 'fine',
      'users/alice/docs/a b+c%.txt': 'odd name',
      'users/alice/docs/sub/deep.txt': 'deep',
      'users/alice/docs/secret/deny.txt': 'canary-denied',
      'users/alice/docs/.dot/hidden.txt': 'canary-hidden',
      'users/alice/docs/pixel.png': pixel,
      'users/alice/docs/movie.mp4': 'not really',
      'users/alice/docs/movie.en.vtt': 'WEBVTT',
      'users/alice/docs/x.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'users/alice/private/secret.txt': 'canary-private',
    },
    users: [
      {
        username: 'alice',
        scope: '/users/alice',
        rules: [{ path: '/docs/secret' }],
        hideDotfiles: true,
      },
    ],
  });
  await symlink('../private', join(app.root, 'users/alice/docs/to-private'));
  await symlink('../private/secret.txt', join(app.root, 'users/alice/docs/to-secret'));
  await symlink('sub', join(app.root, 'users/alice/docs/to-sub'));
  admin = await app.signIn('admin');
  alice = await app.signIn('alice');
});
afterAll(() => app.close());

export const makeShare = async (path: string, json: object = {}): Promise<Share> => {
  const answer = await app.fetch(`/api/share${path}`, { method: 'POST', token: alice, json });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as Share;
};
export const share = async (path: string, json: object = {}): Promise<string> =>
  (await makeShare(path, json)).hash;
export const info = (rest: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(`/api/public/share/${rest}`, { headers });
export const download = (rest: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(`/api/public/dl/${rest}`, { headers });
export const show = async (rest: string, headers: Record<string, string> = {}): Promise<Resource> => {
  const answer = await info(rest, headers);
  if (answer.status !== 200) throw new Error(`${answer.status}`);
  return (await answer.json()) as Resource;
};
export const withPassword = (text: string): Record<string, string> => ({
  'x-share-password': encodeURIComponent(text),
});
export const status = async (answer: Promise<Response>): Promise<number> => {
  const { status: code, headers } = await answer;
  if (code === 200 && headers.get('content-type') === null) throw new Error('no type');
  return code;
};
