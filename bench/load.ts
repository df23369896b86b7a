import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createUser } from '../e2e/support/api.ts';
import { signInByApi, startProduct } from '../e2e/support/product.ts';
import { exchange } from './clients/http-client.ts';
import { makeFiles, makeSparse } from './files.ts';
import { asMiB, asMs, median, peakMemory, residentBytes, type Row } from './measure.ts';

/** Duration of each crowd. */
const crowdSeconds = 10;
/** Pause between two requests of the measured user. */
const probeEveryMs = 100;
/** Limit within which other users must get their responses during any crowd. */
const responseLimitMs = 1_000;
/** Limit of the memory after a second round of all crowds, relative to the first. */
const memoryMargin = 1.2;

/** The picture that the other user requests in a round. None is requested twice. */
const otherPicture = (turn: number): string => `/api/preview/thumb/pictures/${turn}.jpg`;
const otherChecksum = '/api/resources/small.bin?checksum=sha256';

/** Name of the crowd, its effect, and the request of the other user beside a listing, by round. */
const crowds: readonly (readonly [name: string, effect: string, extraRequest?: (turn: number) => string])[] =
  [
    ['browse', '300 clients that browse'],
    ['transfer', '100 uploads and 100 downloads at once, over and over'],
    ['slow', '300 slow readers and 300 slow writers'],
    ['idle', '4,000 idle connections'],
    ['folder', '8 listings of 100,000 entries and 4 searches 300 folders deep, over and over'],
    ['bombs', '16 clients that want thumbnails of image bombs, 8 archives of a file of 100 GiB'],
    ['patterns', '16 searches for hostile patterns below 100,000 entries, over and over'],
    [
      'pictures',
      'a visitor who wants 700 thumbnails of 48 megapixels; others want thumbnails too',
      otherPicture,
    ],
    ['sums', '40 checksums of 2 GiB of one user; others want checksums of 8 MiB too', () => otherChecksum],
    ['bodies', '40 visitors with 1 MiB and 12 requests of one user with 15 to 30 MiB of JSON, over and over'],
  ];
/** Pictures of a visitor, and of another user in all rounds. */
const visitorPictures = 700;
const otherPictures = 3_000;

/** A PNG of 30,000 × 30,000 gray pixels in few bytes (ISO/IEC 15948 §5). */
function imageBomb(): Buffer {
  const part = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const side = 30_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.alloc((side / 8 + 1) * side))),
    part('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates copies of one picture, each a separate file, so that a preview has to be made for each. */
async function makePictures(
  folder: string,
  count: number,
  size: { width: number; height: number },
): Promise<void> {
  await mkdir(folder);
  const picture = await sharp({ create: { ...size, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
  for (let i = 0; i < count; i++) await writeFile(join(folder, `${i}.jpg`), picture);
}

async function makeTestFiles(root: string): Promise<void> {
  const gibibyte = 1024 ** 3;
  await makeFiles(join(root, 'busy'), 100);
  await makeFiles(join(root, 'many'), 100_000);
  await makeFiles(join(root, 'other'), 20);
  await mkdir(join(root, 'up'));
  await mkdir(join(root, 'deep', ...Array.from({ length: 300 }, () => 'd')), { recursive: true });
  await makeSparse(join(root, 'eight.bin'), gibibyte / 128);
  await makeSparse(join(root, 'large.bin'), gibibyte);
  await makeSparse(join(root, 'sparse', 'huge.bin'), 100 * gibibyte);
  await mkdir(join(root, 'bombs'));
  await makeSparse(join(root, 'two.bin'), 2 * gibibyte);
  await makeSparse(join(root, 'other', 'small.bin'), gibibyte / 128);
  await makePictures(join(root, 'pictures'), visitorPictures, { width: 8000, height: 6000 });
  await makePictures(join(root, 'other', 'pictures'), otherPictures, { width: 1600, height: 1200 });
  const bomb = imageBomb();
  for (let i = 0; i < 4; i++) await writeFile(join(root, 'bombs', `${i}.png`), bomb);
}

/** Starts a crowd. Resolves to the number of responses by status. */
function runCrowd(scenario: string, url: string, token: string): Promise<Record<string, number>> {
  const script = join(import.meta.dirname, 'clients', 'load-clients.ts');
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, scenario, url, token, String(crowdSeconds)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(JSON.parse(text || '{}') as Record<string, number>));
  });
}

/**
 * Measures how long another user waits for a listing and for the path of `extraPath`, repeatedly over new connections, until `until`
 * settles.
 */
async function probe(
  url: string,
  token: string,
  extraPath: () => string | undefined,
  until: Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  const measure = async (path: string): Promise<void> => {
    const started = performance.now();
    const agent = new Agent();
    await exchange(`${url}${path}`, { 'X-Auth': token }, agent);
    agent.destroy();
    latencies.push(performance.now() - started);
  };
  const finished = new AbortController();
  const end = until.finally(() => finished.abort());
  while (!finished.signal.aborted) {
    await measure('/api/resources/');
    const extra = extraPath();
    if (extra !== undefined) await measure(extra);
    await sleep(probeEveryMs);
  }
  await end;
  return latencies;
}

/** Measures the effect of crowds on another user of the same server, and the memory that remains in use afterwards. */
export async function measureLoad(folder: string): Promise<Row[]> {
  const root = join(folder, 'load');
  await makeTestFiles(root);
  const product = await startProduct(root);
  try {
    const admin = await signInByApi(product);
    const other = { username: 'other', password: 'a long enough pass', scope: '/other' };
    await createUser(product, admin, { ...other, perm: { download: true } });
    const token = await signInByApi(product, other.username, other.password);
    const rows: Row[] = [];
    const remainingBytes: number[] = [];
    let peak = 0;
    let turn = 0;
    for (const round of [1, 2]) {
      for (const [scenario, effect, extraRequest] of crowds) {
        let countsByStatus: Record<string, number> = {};
        let latencies: number[] = [];
        const highest = await peakMemory(product.pid, async () => {
          const crowd = runCrowd(scenario, product.url, admin).then((counts) => (countsByStatus = counts));
          latencies = await probe(product.url, token, () => extraRequest?.(turn++), crowd);
        });
        peak = Math.max(peak, highest);
        if (round === 1) continue;
        const slowest = Math.max(...latencies);
        const counts = Object.entries(countsByStatus).map(([status, number]) => `${number} × ${status}`);
        rows.push({
          measurement: `slowest response of others (median) during ${effect}: ${counts.join(', ')}`,
          ours: `${asMs(slowest)} (${asMs(median(latencies))})`,
          reference: asMs(responseLimitMs),
          ratio: slowest / responseLimitMs,
          limit: '≤ 1',
        });
      }
      await sleep(crowdSeconds * 1000);
      remainingBytes.push(await residentBytes(product.pid));
    }
    const [first = 0, second = 0] = remainingBytes;
    rows.push({
      measurement: `memory after all crowds (highest ${asMiB(peak)})`,
      ours: `${asMiB(second)} after a second round`,
      reference: `${asMiB(first)} after the first`,
      ratio: second / first,
      limit: `≤ ${memoryMargin}`,
    });
    return rows;
  } finally {
    await product.stop();
    await rm(root, { recursive: true, force: true });
  }
}
