import { readFileSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  partType,
  app,
  token,
  call,
  begin,
  patch,
  offsetAt,
  place,
  onDisk,
  unfinishedIn,
  tus,
  beginning,
  stall,
  useUploadsServer,
} from '../../test/fixtures/uploads-server.ts';

useUploadsServer();

describe('broken connections', () => {
  test('received bytes are kept when the connection is cut, and the rest can follow byte by byte', async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) % 251);
    const location =
      (await begin('/api/tus/cut.bin', bytes.length, { headers: tus })).headers.get('location') ?? '';
    await new Promise<void>((resolve) => {
      const sending = httpRequest(`${app.url}${location}`, {
        method: 'PATCH',
        headers: {
          ...tus,
          'x-auth': token,
          'content-type': partType,
          'content-length': bytes.length,
          'upload-offset': 0,
        },
      });
      sending.on('error', () => undefined);
      sending.on('close', () => resolve());
      sending.write(bytes.subarray(0, 1_300_000));
      const [part = ''] = unfinishedIn('alice');
      const storedBytes = (): number => statSync(place(`alice/${part}`)).size;
      void expect
        .poll(storedBytes)
        .toBeGreaterThan(0)
        .finally(() => sending.destroy());
    });
    const [status, offset] = await offsetAt(location, { headers: tus });
    expect(status).toBe(200);
    expect(Number(offset)).toBeGreaterThan(0);
    expect(Number(offset)).toBeLessThanOrEqual(1_300_000);
    expect(
      (await patch(location, Number(offset), bytes.slice(Number(offset)), { headers: tus })).status,
    ).toBe(204);
    expect(readFileSync(place('alice/cut.bin')).equals(bytes)).toBe(true);
    expect(app.log.filter((line) => /unexpected error/.test(line))).toEqual([]);
  });

  test('received bytes are kept when the connection of a long request is cut', async () => {
    await new Promise<void>((resolve) => {
      const sending = httpRequest(`${app.url}/api/tus/long.bin`, {
        method: 'POST',
        headers: {
          ...tus,
          'x-auth': token,
          'content-type': partType,
          'content-length': 3_000_000,
          'upload-length': 3_000_000,
        },
      });
      sending.on('error', () => undefined);
      sending.on('close', () => resolve());
      sending.write(new Uint8Array(1_300_000));
      const storedBytes = (): number => {
        const [part] = unfinishedIn('alice');
        return part === undefined ? 0 : statSync(place(`alice/${part}`)).size;
      };
      void expect
        .poll(storedBytes)
        .toBeGreaterThan(0)
        .finally(() => {
          // The folder of the scope is opened again for later requests.
          app.clock.advance(2_000);
          sending.destroy();
        });
    });
    const stored = async (): Promise<number | undefined> => {
      const uploads = (await (await call('GET', '/api/uploads')).json()) as { stored: number }[];
      return uploads[0]?.stored;
    };
    await expect.poll(stored).toBe(1_300_000);
    const location = `/api/tus/long.bin`;
    expect(await offsetAt(location, { headers: tus })).toEqual([200, '1300000']);
    await call('DELETE', location);
  });

  test('only one request may send at a time, unless it is stalled', async () => {
    const length = beginning.length + 7;
    await begin('/api/tus/busy.txt', length);
    const silent = await stall('/api/tus/busy.txt', length);
    expect((await patch('/api/tus/busy.txt', 0, 'x'.repeat(10))).status).toBe(423);
    app.clock.advance(1_200);
    expect((await patch('/api/tus/busy.txt', beginning.length, 'defghij')).status).toBe(204);
    expect(onDisk('alice/busy.txt')).toBe(`${beginning}defghij`);
    silent.destroy();
  });

  test('a request for the offset ends the request that is still sending', async () => {
    const length = beginning.length + 3;
    await begin('/api/tus/asked.txt', length);
    const silent = await stall('/api/tus/asked.txt', length);
    expect(await offsetAt('/api/tus/asked.txt')).toEqual([200, String(beginning.length)]);
    expect((await patch('/api/tus/asked.txt', beginning.length, 'def')).status).toBe(204);
    expect(onDisk('alice/asked.txt')).toBe(`${beginning}def`);
    silent.destroy();
  });

  test('at most one of many concurrent parts is accepted', async () => {
    await begin('/api/tus/many.txt', 8);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => patch('/api/tus/many.txt', 0, 'abcd')),
    );
    // Depending on timing, the others arrive while the first one is being received (423) or afterwards (409).
    const outcomes = responses.map(({ status }) => (status === 423 ? 409 : status));
    expect(outcomes.toSorted()).toEqual([204, 409, 409, 409, 409]);
    expect(await offsetAt('/api/tus/many.txt')).toEqual([200, '4']);
    await call('DELETE', '/api/tus/many.txt');
  });

  test('an upload follows its folder when that is renamed, and ends when it is deleted', async () => {
    const location =
      (await begin('/api/tus/moving/a.txt', 6, { headers: tus })).headers.get('location') ?? '';
    await patch(location, 0, 'abc', { headers: tus });
    await call('PATCH', '/api/resources/moving?action=rename&destination=%2Fmoved');
    expect((await patch(location, 3, 'def', { headers: tus })).status).toBe(204);
    expect([onDisk('alice/moved/a.txt'), onDisk('alice/moving/a.txt')]).toEqual(['abcdef', null]);
    const ended = (await begin('/api/tus/moved/b.txt', 6, { headers: tus })).headers.get('location') ?? '';
    await call('DELETE', '/api/resources/moved');
    expect((await patch(ended, 0, 'abc', { headers: tus })).status).toBe(404);
    expect(await offsetAt(ended, { headers: tus })).toEqual([404, null]);
  });
});
