import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../test/start-app.ts';
import { cornersOf } from './previews-testing.ts';
import { createExtractFrame } from './video-frame.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) process.stderr.write('ffmpeg is not installed: frames of videos are not tested\n');

const never = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-video-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ffmpeg = (...args: string[]): void => void execFileSync('ffmpeg', ['-v', 'error', '-y', ...args]);
const source = (color: string, seconds: number, size = '320x240'): string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=${color}:s=${size}:d=${seconds}:r=10`,
  '-c:v',
  'mpeg4',
];

/** Whether another process has the file open. */
const isOpenElsewhere = (path: string): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .some((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === path);
      } catch {
        return false;
      }
    });

/** The frame of the file at `path`. */
async function frameOf(path: string, extractFrame = createExtractFrame()): Promise<Buffer | null> {
  const descriptor = openSync(path, 'r');
  try {
    return await extractFrame(descriptor, never);
  } finally {
    closeSync(descriptor);
  }
}

describe.skipIf(!hasFfmpeg)('a frame of a video', () => {
  test.each(['mp4', 'mkv', 'mov', 'avi', 'ts'])('is extracted from %s', async (ending) => {
    const path = join(folder, `clip.${ending}`);
    // The index of an MP4 is at its end, so that the program has to seek.
    ffmpeg(...source('red', 5), path);
    const frame = await frameOf(path);
    const [red = 0, green = 255, blue = 255] = (await cornersOf(frame ?? Buffer.alloc(0))).topLeft;
    expect(red > 200 && green < 60 && blue < 60).toBe(true);
  });

  test('is extracted after the first seconds, or at the beginning of a short video', async () => {
    const [black, blue, joined] = ['black', 'blue', 'joined'].map((name) => join(folder, `${name}.mp4`));
    ffmpeg(...source('black', 2), black ?? '');
    ffmpeg(...source('blue', 4), blue ?? '');
    await writeFile(join(folder, 'list.txt'), `file ${black}\nfile ${blue}\n`);
    ffmpeg('-f', 'concat', '-safe', '0', '-i', join(folder, 'list.txt'), '-c', 'copy', joined ?? '');
    const later = await frameOf(joined ?? '');
    expect((await cornersOf(later ?? Buffer.alloc(0))).topLeft[2]).toBeGreaterThan(150);
    const short = join(folder, 'short.mp4');
    ffmpeg(...source('red', 1), short);
    expect(await frameOf(short)).not.toBeNull();
  });

  test('fits 1080 × 1080 without being enlarged', async () => {
    const path = join(folder, 'wide.mp4');
    ffmpeg(...source('red', 1, '1920x1080'), path);
    const { width, height } = await sharp((await frameOf(path)) ?? Buffer.alloc(0)).metadata();
    expect([width, height]).toEqual([1080, 608]);
    const small = join(folder, 'small.mp4');
    ffmpeg(...source('red', 1, '64x48'), small);
    expect((await sharp((await frameOf(small)) ?? Buffer.alloc(0)).metadata()).width).toBe(64);
  });

  test.each(['bwrap', null])(
    'never comes from another file that a playlist names (%s)',
    async (bubblewrap) => {
      const extractFrame = createExtractFrame({ programs: { ffmpeg: 'ffmpeg', bubblewrap } });
      const secret = join(folder, 'secret.ts');
      ffmpeg(...source('red', 5), secret);
      const playlists = {
        'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
        'concat.mp4': `ffconcat version 1.0\nfile '${secret}'\n`,
        'concat.ts': `ffconcat version 1.0\nfile 'secret.ts'\n`,
        'dash.mkv': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1" bandwidth="1"><BaseURL>file://${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
        'sdp.mov': 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n',
      };
      for (const [name, text] of Object.entries(playlists)) {
        await writeFile(join(folder, name), text);
        expect(await frameOf(join(folder, name), extractFrame), name).toBeNull();
      }
      expect(await frameOf(secret, extractFrame)).not.toBeNull();
    },
  );

  test('is cancelled when no request waits for it', async () => {
    const pipe = join(folder, 'endless.mp4');
    execFileSync('mkfifo', [pipe]);
    // Opened for reading and writing, so that opening does not block: the program waits for bytes that never come.
    const descriptor = openSync(pipe, 'r+');
    try {
      const leaving = new AbortController();
      const frame = createExtractFrame()(descriptor, leaving.signal);
      frame.catch(() => undefined);
      await expect.poll(() => isOpenElsewhere(pipe)).toBe(true);
      leaving.abort(new Error('left'));
      await expect(frame).rejects.toThrow('left');
      await expect.poll(() => isOpenElsewhere(pipe)).toBe(false);
    } finally {
      closeSync(descriptor);
    }
  });

  test('is sent over HTTP; a file that is not a video has none', async () => {
    const path = join(folder, 'http.mp4');
    ffmpeg(...source('red', 1), path);
    const app = await startApp({ files: { '/clip.mp4': await readFile(path), '/fake.mp4': 'film' } });
    try {
      const token = await app.signIn('admin');
      const response = await app.fetch('/api/preview/thumb/clip.mp4?inline=true', { token });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(256);
      expect((await app.fetch('/api/preview/thumb/fake.mp4', { token })).status).toBe(501);
    } finally {
      await app.close();
    }
  });
});

test('without ffmpeg there are no video frames', async () => {
  const path = join(folder, 'some.mp4');
  await writeFile(path, 'film');
  const before = process.env.PATH;
  process.env.PATH = folder;
  try {
    expect(await frameOf(path)).toBeNull();
  } finally {
    process.env.PATH = before;
  }
});
