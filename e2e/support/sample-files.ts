import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { pngChunk, pngSignature } from './pictures/png.ts';

/** Creates a color gradient as a PNG (W3C PNG, color type 2) that browsers can decode. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      rows[at] = Math.round((x / width) * 255);
      rows[at + 1] = Math.round((y / height) * 255);
      rows[at + 2] = 160;
    }
  }
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates a tone of 440 Hz as a WAV file (16 bit PCM, one channel, 8 kHz). */
export function wavOf(seconds: number): Buffer {
  const rate = 8000;
  const samples = Math.round(rate * seconds);
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples * 2, 40);
  for (let index = 0; index < samples; index++) {
    file.writeInt16LE(Math.round(Math.sin((index / rate) * 440 * 2 * Math.PI) * 8000), 44 + index * 2);
  }
  return file;
}

/** Creates a PDF of one empty A6 page. */
export function pdfOf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${lines.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

/** Records a video of a third of a second in the browser (WebM). Leaves `page` on an empty page. */
export async function webmOf(page: Page): Promise<Buffer> {
  await page.goto('about:blank');
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 90;
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.start();
    for (let picture = 0; picture < 10; picture++) {
      if (context) {
        context.fillStyle = `hsl(${picture * 36} 80% 50%)`;
        context.fillRect(0, 0, canvas.width, canvas.height);
      }
      // The recorder captures frames in real time: each is shown this long.
      await new Promise((resolve) => {
        setTimeout(resolve, 33);
      });
    }
    await new Promise((resolve) => {
      recorder.addEventListener('stop', resolve);
      recorder.stop();
    });
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  });
  return Buffer.from(base64, 'base64');
}

/** Creates EXIF data in TIFF form (Exif 2.32 §4.6.6) that contain a position only. */
function positionExif(latitude: number, longitude: number): Buffer {
  const exif = Buffer.alloc(128);
  exif.write('II*\0', 0, 'latin1');
  exif.writeUInt32LE(8, 4);
  const entry = (at: number, tag: number, type: number, count: number, value: number): void => {
    exif.writeUInt16LE(tag, at);
    exif.writeUInt16LE(type, at + 2);
    exif.writeUInt32LE(count, at + 4);
    exif.writeUInt32LE(value, at + 8);
  };
  // The main directory refers to that of the position, whose numbers follow it.
  exif.writeUInt16LE(1, 8);
  entry(10, 0x8825, 4, 1, 26);
  exif.writeUInt16LE(4, 26);
  for (const [index, [degrees, letters]] of (
    [
      [latitude, 'NS'],
      [longitude, 'EW'],
    ] as const
  ).entries()) {
    const numbersAt = 80 + index * 24;
    entry(28 + index * 24, 1 + 2 * index, 2, 2, letters.charCodeAt(degrees < 0 ? 1 : 0));
    entry(40 + index * 24, 2 + 2 * index, 5, 3, numbersAt);
    const millionths = Math.round(Math.abs(degrees) * 1e6);
    for (const [part, number] of [millionths, 1e6, 0, 1, 0, 1].entries())
      exif.writeUInt32LE(number, numbersAt + part * 4);
  }
  return exif;
}

/** Creates a photo (JPEG) that was taken at a position, with the encoder of the browser. */
export async function photoAt(page: Page, latitude: number, longitude: number): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 120;
    canvas.height = 80;
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });
  const jpeg = Buffer.from(base64, 'base64');
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), positionExif(latitude, longitude)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

/** Returns the names in a folder, sorted, without those that begin with a dot, such as the store of deleted entries. */
export const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();

/** Writes a file and creates its parent folders. */
export async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Writes 40 files into `root`, 20 folders with a file each, and a small picture: more than one screen. */
export async function writeSamples(root: string): Promise<void> {
  for (let number = 1; number <= 60; number++) {
    await write(join(root, number % 3 === 0 ? `folder ${number}` : '', `file ${number}.txt`), 'text');
  }
  await write(join(root, 'picture.png'), pngOf(32, 32));
}
