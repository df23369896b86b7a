import { virtualPath } from '@filestead/contract/virtual-path';
import { expect, test } from 'vitest';
import { isAppError } from '../http/app-error.ts';
import { userParty } from '../scheduling/party.ts';
import { openMemoryStorage } from '../storage/memory-storage.ts';
import type { OpenFile } from '../storage/storage.ts';
import type { MadePicture } from './decoder/decode-picture.ts';
import type { DecodeAnswer } from './decoder/protocol.ts';
import { createGetPicture } from './open-previews.ts';

const never = new AbortController().signal;

/** What gets pictures, with a decoder that the test holds in its hand, and a cache in memory. */
function gallery(processors: number) {
  const kept = new Map<string, MadePicture>();
  const pending: ((outcome: DecodeAnswer['outcome']) => void)[] = [];
  let running = 0;
  let most = 0;
  let closed = 0;
  const getPicture = createGetPicture({
    processors,
    cache: {
      get: async (key) => kept.get(key) ?? null,
      put: async (key, picture) => void kept.set(key, picture),
    },
    makers: {
      takeFrame: async () => null,
      decoders: {
        run: async () => {
          running += 1;
          most = Math.max(most, running);
          const outcome = await new Promise<DecodeAnswer['outcome']>((resolve) => pending.push(resolve));
          running -= 1;
          const json = { outcome, mediaType: 'image/jpeg', memoryBytes: 1 } as DecodeAnswer;
          return { json, bytes: Buffer.from('small') };
        },
      },
    },
  });
  const get = async (name: string, signal = never, userId = 1): Promise<MadePicture> => {
    const storage = await openMemoryStorage({ [`/${name}`]: 'bytes' });
    const file = await storage.openFile(virtualPath(`/${name}`));
    let isTaken = false;
    const counted: OpenFile = { ...file, close: async () => void (closed += 1) };
    const job = {
      key: name,
      file: counted,
      source: { way: 'decode', kind: 'jpeg' },
      wanted: { size: 'thumb', isForBrowser: false },
    } as const;
    try {
      return await getPicture(job, { party: userParty(userId), signal }, () => (isTaken = true));
    } finally {
      if (!isTaken) await counted.close();
    }
  };
  return { get, pending, most: () => most, closed: () => closed };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test('one picture is made once, however many ask, and is kept', async () => {
  const { get, pending, closed } = gallery(4);
  const asked = [1, 2, 3, 4, 5].map(() => get('same.jpg'));
  await settled();
  expect(pending).toHaveLength(1);
  pending[0]?.('made');
  for (const picture of await Promise.all(asked)) expect(picture.bytes.toString()).toBe('small');
  await get('same.jpg');
  expect(pending).toHaveLength(1);
  expect(closed()).toBe(6);
});

test('one user gets all processors but one, and nothing is made for a user who has left', async () => {
  const { get, pending, most, closed } = gallery(3);
  const leaving = new AbortController();
  const stays = ['a', 'b', 'c', 'd'].map((name) => get(name));
  await settled();
  const leaves = ['e', 'f'].map((name) => get(name, leaving.signal).catch(() => 'left'));
  await settled();
  leaving.abort();
  expect(await Promise.all(leaves)).toEqual(['left', 'left']);
  for (let turn = 0; turn < 4; turn += 1) {
    pending[turn]?.('made');
    await settled();
  }
  await Promise.all(stays);
  expect([pending.length, most(), closed()]).toEqual([4, 2, 6]);
});

test('what cannot be shown is not tried again at once', async () => {
  const { get, pending } = gallery(1);
  const codes: string[] = [];
  for (const turn of [0, 1]) {
    const asked = get('broken.jpg').catch((error: unknown) =>
      codes.push(isAppError(error) ? error.code : 'unknown'),
    );
    await settled();
    if (turn === 0) pending[0]?.('unreadable');
    await asked;
  }
  expect(codes).toEqual(['broken_image', 'broken_image']);
  expect(pending).toHaveLength(1);
});
