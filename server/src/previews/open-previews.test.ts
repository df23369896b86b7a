import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { isAppError } from '../errors.ts';
import { userParty } from '../scheduling/party.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { OpenFile } from '../storage/storage.ts';
import type { EncodedPicture } from './decoder/decode-picture.ts';
import type { DecodeResponse } from './decoder/protocol.ts';
import { DecoderStartError } from './decoder/decoder.ts';
import { rememberedMs } from './limits.ts';
import { reportMissingOnce } from './missing-tools.ts';
import { createGetPicture } from './open-previews.ts';

const never = new AbortController().signal;

/** Opens previews with a decoder that the test controls, and a cache in memory. */
function openControlledPreviews(processors: number, now = Date.now) {
  const cached = new Map<string, EncodedPicture>();
  const pending: ((outcome: DecodeResponse['outcome']) => void)[] = [];
  let running = 0;
  let most = 0;
  let closed = 0;
  const { getPicture } = createGetPicture({
    processors,
    now,
    cache: {
      get: async (key) => cached.get(key) ?? null,
      put: async (key, picture) => void cached.set(key, picture),
    },
    tools: {
      extractFrame: async () => null,
      decoders: {
        run: async () => {
          running += 1;
          most = Math.max(most, running);
          const outcome = await new Promise<DecodeResponse['outcome']>((resolve) => pending.push(resolve));
          running -= 1;
          const json = { outcome, mediaType: 'image/jpeg', memoryBytes: 1 } as DecodeResponse;
          return { json, bytes: Buffer.from('small') };
        },
      },
    },
  });
  const get = async (name: string, signal = never, userId = 1): Promise<EncodedPicture> => {
    const storage = await openMemoryStorage({ [`/${name}`]: 'bytes' });
    const file = await storage.openFile(virtualPath(`/${name}`));
    let isHandedOver = false;
    const counted: OpenFile = { ...file, close: async () => void (closed += 1) };
    const job = {
      key: name,
      file: counted,
      source: { way: 'decode', kind: 'jpeg' },
      variant: { size: 'thumb', isForBrowser: false },
    } as const;
    try {
      return await getPicture(
        job,
        { party: userParty(userId), getSignal: () => signal },
        () => (isHandedOver = true),
      );
    } finally {
      if (!isHandedOver) await counted.close();
    }
  };
  return { get, pending, most: () => most, closed: () => closed };
}

/** Waits until everything that does not depend on the decoder has finished; all of it is in memory. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a preview is created once for concurrent requests, and cached', async () => {
  const { get, pending, closed } = openControlledPreviews(4);
  const requests = [1, 2, 3, 4, 5].map(() => get('same.jpg'));
  await settled();
  expect(pending).toHaveLength(1);
  pending[0]?.('made');
  for (const picture of await Promise.all(requests)) expect(picture.bytes.toString()).toBe('small');
  await get('same.jpg');
  expect(pending).toHaveLength(1);
  expect(closed()).toBe(6);
});

test('one user gets all processors but one, and no preview is created after a disconnect', async () => {
  const { get, pending, most, closed } = openControlledPreviews(3);
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

test('a file that failed is tried again only after a delay', async () => {
  let nowMs = 1_000;
  const { get, pending } = openControlledPreviews(1, () => nowMs);
  const codes: string[] = [];
  const attempt = async (): Promise<void> => {
    const next = pending.length;
    const request = get('broken.jpg').catch((error: unknown) =>
      codes.push(isAppError(error) ? error.code : 'unknown'),
    );
    await settled();
    pending[next]?.('unreadable');
    await request;
  };
  await attempt();
  nowMs += rememberedMs - 1;
  await attempt();
  expect([pending.length, codes]).toEqual([1, ['broken_image', 'broken_image']]);
  nowMs += 1;
  await attempt();
  expect([pending.length, codes.length]).toEqual([2, 3]);
});

test('a picture that the machine cannot decode has no preview, and the missing library is reported once', async () => {
  const reports: string[] = [];
  const { getPicture } = createGetPicture({
    processors: 1,
    now: Date.now,
    cache: { get: async () => null, put: async () => undefined },
    tools: {
      extractFrame: async () => null,
      decoders: { run: () => Promise.reject(new DecoderStartError('it cannot start')) },
      onMissing: reportMissingOnce((text) => reports.push(text)),
    },
  });
  for (const name of ['one', 'two']) {
    const storage = await openMemoryStorage({ [`/${name}`]: 'bytes' });
    const file = await storage.openFile(virtualPath(`/${name}`));
    const request = {
      key: name,
      file,
      source: { way: 'decode', kind: 'jpeg' },
      variant: { size: 'thumb', isForBrowser: true },
    } as const;
    const refused = getPicture(request, { party: userParty(1), getSignal: () => never }, () => undefined);
    await expect(refused).rejects.toMatchObject({ code: 'no_preview' });
  }
  expect(reports).toEqual([expect.stringMatching(/libvips does not start on .*; install Filestead again/)]);
});
