import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  password,
  alice,
  app,
  share,
  show,
  withPassword,
  usePublicShares,
} from '../../test/fixtures/public-shares.ts';

usePublicShares();

const names = ['pixel.png', 'sub/photo.jpg', 'ok.txt', 'secret/photo.jpg', '.dot/photo.jpg', 'missing.png'];
const linked = ['to-private/photo.jpg', 'to-photo.jpg'];
/** Of all these only two pictures are in the share. */
const rows = [{ width: 1, height: 1 }, { width: 40, height: 60 }, null, null, null, null];

/** A picture with camera, date, position and orientation. */
const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Make: 'Pear', Model: 'Pear One', Orientation: '6' },
      IFD2: { DateTimeOriginal: '2026:11:15 14:21:07' },
      IFD3: {
        GPSLatitude: '59/1 19/1 3432/100',
        GPSLatitudeRef: 'N',
        GPSLongitude: '18/1 6/1 126/10',
        GPSLongitudeRef: 'E',
      },
    })
    .jpeg()
    .toBuffer();

const list = (rest: string, json: unknown = { names }, headers: Record<string, string> = {}) =>
  app.fetch(`/api/public/media/${rest}`, { method: 'POST', json, headers });

let hash: string;
beforeAll(async () => {
  hash = await share('/docs');
  const home = join(app.root, 'users/alice');
  const bytes = await photo();
  for (const path of ['docs/sub', 'docs/secret', 'docs/.dot', 'private'])
    await writeFile(join(home, path, 'photo.jpg'), bytes);
});

describe('the sizes of the pictures of a share', () => {
  test('are known to visitors for shared pictures only, without any other property', async () => {
    const whole = await app.fetch('/api/media/docs', {
      method: 'POST',
      token: alice,
      json: { names: ['sub/photo.jpg'] },
    });
    // The owner gets more of the same picture.
    expect(await whole.json()).toMatchObject({
      rows: [{ taken: '2026-11-15T14:21:07', place: { town: 'Stockholm' } }],
    });
    const response = await list(hash);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ rows });
    expect(await (await list(`${hash}/sub/`, { names: ['photo.jpg'] })).json()).toEqual({ rows: [rows[1]] });
    expect(await (await list(hash, { names: linked })).json()).toEqual({ rows: [null, null] });
  });

  test('of a protected share need its password or token', async () => {
    const locked = await share('/docs', { password });
    expect((await list(locked)).status).toBe(401);
    expect((await list(locked, { names }, withPassword('wrong'))).status).toBe(401);
    expect(await (await list(locked, { names }, withPassword(password))).json()).toEqual({ rows });
    const { token } = await show(locked, withPassword(password));
    expect(await (await list(`${locked}?token=${token}`)).json()).toEqual({ rows });
  });

  test.each([
    ['a path out of the share', '', { names: ['../private/photo.jpg'] }, 400],
    ['no names', '', { names: [] }, 400],
    ['a denied folder', '/secret/', { names: ['photo.jpg'] }, 403],
    ['a hidden folder', '/.dot/', { names: ['photo.jpg'] }, 403],
    ['a linked folder out of the share', '/to-private/', { names: ['photo.jpg'] }, 404],
    ['a file in place of the folder', '/pixel.png', { names: ['pixel.png'] }, 409],
  ])('are refused for %s', async (_, path, json, expected) => {
    expect((await list(`${hash}${path}`, json)).status).toBe(expected);
  });

  test('end with the share, and a share of one file has none of its siblings', async () => {
    const ended = await share('/docs');
    await app.fetch(`/api/share/${ended}`, { method: 'DELETE', token: alice });
    expect((await list(ended)).status).toBe(404);
    const file = await share('/docs/pixel.png');
    expect((await list(file, { names: ['pixel.png', 'sub/photo.jpg'] })).status).toBe(409);
  });
});
