import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { UploadConflictSide } from '../queue/conflict-queue.ts';
import type { ConflictChoice } from '../../../ui/conflicts/conflict.ts';
import { planBatch } from './plan-batch.ts';
import type { UploadItem } from './upload-item.ts';

const file = (relativePath: string): UploadItem => ({
  kind: 'file',
  relativePath,
  file: new File(['x'], relativePath),
});
const folder = (relativePath: string): UploadItem => ({ kind: 'folder', relativePath });
const onServer = (isFolder: boolean): UploadConflictSide => ({ isFolder, size: 7, modifiedMs: 5 });

interface Case {
  items: UploadItem[];
  /** The entries of each folder path; a name that ends with a slash is a folder. */
  server: Record<string, string[]>;
  answers?: Record<string, ConflictChoice>;
}

async function plan({ items, server, answers = {} }: Case) {
  const asked: string[] = [];
  const listed: string[] = [];
  const result = await planBatch({
    destination: virtualPath('/in'),
    items,
    listFolder: async (path: VirtualPath) => {
      listed.push(path);
      const names = server[path] ?? [];
      return new Map(names.map((name) => [name.replace('/', ''), onServer(name.endsWith('/'))]));
    },
    ask: async ({ path }) => {
      asked.push(path);
      return answers[path] ?? 'skip';
    },
  });
  const uploads = result?.uploads.map(({ path, override }) => `${path}${override ? ' !' : ''}`);
  return { uploads, skipped: result?.skipped, asked, listed };
}

test('shows no dialog without conflicts and lists only the destination', async () => {
  const outcome = await plan({
    items: [file('a.txt'), folder('p'), file('p/b.txt')],
    server: { '/in': ['z'] },
  });
  expect(outcome).toEqual({
    uploads: ['/in/a.txt', '/in/p', '/in/p/b.txt'],
    skipped: 0,
    asked: [],
    listed: ['/in'],
  });
});

test('replaces files, keeps them under a new name, or skips them, as chosen', async () => {
  const outcome = await plan({
    items: [file('a.txt'), file('b.tar.gz'), file('c.txt'), file('d.txt')],
    server: { '/in': ['a.txt', 'b.tar.gz', 'b.tar(1).gz', 'c.txt'] },
    answers: { '/in/a.txt': 'replace', '/in/b.tar.gz': 'keep_both' },
  });
  expect(outcome.uploads).toEqual(['/in/a.txt !', '/in/b.tar(2).gz', '/in/d.txt']);
  expect(outcome.skipped).toBe(1);
});

test('chooses a new name that does not conflict with another item of the batch', async () => {
  const outcome = await plan({
    items: [file('a(1).txt'), file('a.txt')],
    server: { '/in': ['a.txt'] },
    answers: { '/in/a.txt': 'keep_both' },
  });
  expect(outcome.uploads).toEqual(['/in/a(1).txt', '/in/a(2).txt']);
});

test('compares the files of merged folders at every depth that exists on both sides', async () => {
  const outcome = await plan({
    items: [
      folder('p'),
      file('p/same.txt'),
      file('p/new.txt'),
      folder('p/q'),
      file('p/q/same.txt'),
      folder('p/r'),
      file('p/r/x'),
    ],
    server: { '/in': ['p/'], '/in/p': ['same.txt', 'q/'], '/in/p/q': ['same.txt'] },
    answers: { '/in/p': 'merge', '/in/p/same.txt': 'replace', '/in/p/q/same.txt': 'keep_both' },
  });
  expect(outcome.asked).toEqual(['/in/p', '/in/p/same.txt', '/in/p/q/same.txt']);
  expect(outcome.listed).toEqual(['/in', '/in/p', '/in/p/q']);
  expect(outcome.uploads).toEqual([
    '/in/p',
    '/in/p/same.txt !',
    '/in/p/new.txt',
    '/in/p/q',
    '/in/p/q/same(1).txt',
    '/in/p/r',
    '/in/p/r/x',
  ]);
});

test('renames the content with a folder that is kept, and skips it with a skipped one', async () => {
  const items = [folder('v1.0'), file('v1.0/a'), folder('v1.0/b'), file('v1.0/b/c')];
  const server = { '/in': ['v1.0/'] };
  const planned = await plan({ items, server, answers: { '/in/v1.0': 'keep_both' } });
  expect(planned.uploads).toEqual(['/in/v1.0(1)', '/in/v1.0(1)/a', '/in/v1.0(1)/b', '/in/v1.0(1)/b/c']);
  const skipped = await plan({ items, server, answers: { '/in/v1.0': 'skip' } });
  expect(skipped).toMatchObject({ uploads: [], skipped: 4, asked: ['/in/v1.0'] });
});

test('can keep a folder under another name if a file has its name', async () => {
  const outcome = await plan({
    items: [folder('p'), file('p/a'), file('q')],
    server: { '/in': ['p', 'q/'] },
    answers: { '/in/p': 'keep_both', '/in/q': 'keep_both' },
  });
  expect(outcome.uploads).toEqual(['/in/p(1)', '/in/p(1)/a', '/in/q(1)']);
});

test('uploads nothing after the user cancels', async () => {
  const outcome = await plan({
    items: [file('a'), file('b')],
    server: { '/in': ['a'] },
    answers: { '/in/a': 'cancel' },
  });
  expect(outcome.uploads).toBeUndefined();
});

test('assigns no path to a name that the server would refuse', async () => {
  const outcome = await plan({ items: [file(`${'n'.repeat(300)}`), file('ok')], server: {} });
  expect(outcome.uploads).toEqual(['null', '/in/ok']);
});
