import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Product, signInByApi, startProduct } from '../e2e/support/product.ts';
import { exchange, keepAlive } from './clients/http-client.ts';
import { asMs, inTurns, median, percentile, type Row, rowWithin } from './measure.ts';

const pictures = 32;
/** Number of parallel requests of a browser over HTTP/1.1. */
const connections = 6;
/** Number of pictures that sharp alone processes in parallel: that of the cores. */
const referenceAtOnce = 2;
const thumbPx = 256;

/** Calls `work` for each of `names`, `atOnce` at a time. */
async function forAll(
  names: readonly string[],
  atOnce: number,
  work: (name: string) => Promise<void>,
): Promise<void> {
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await work(name);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Creates photographs of 12 megapixels: soft shapes under fine grain, about 4 MB each. */
async function makePhotographs(folder: string): Promise<string[]> {
  await mkdir(folder);
  const grain = await sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 12 },
    },
  })
    .jpeg({ quality: 88 })
    .toBuffer();
  const names: string[] = [];
  for (let i = 0; i < pictures; i++) {
    const name = `photo-${i}.jpg`;
    await sharp(grain)
      .modulate({ hue: i * 11, brightness: 0.8 + i / 80 })
      .jpeg({ quality: 88 })
      .toFile(join(folder, name));
    names.push(name);
  }
  return names;
}

/** Number of thumbnails that fill the first screen. */
const firstScreen = 20;
/** Limits of the first thumbnail and of the first screen, in milliseconds. */
const maxFirstMs = 500;
const maxScreenMs = 1_200;

/**
 * Measures the times to the first thumbnail and to a screen of them, from the request of the listing, in a server that has
 * made none yet. Thumbnails are requested as the page does: after the listing, as many at once as browsers allow.
 */
async function measureFirst(root: string, folder: string, names: readonly string[]): Promise<Row[]> {
  const first: number[] = [];
  const screen: number[] = [];
  for (let round = 0; round < 3; round++) {
    const product = await startProduct(root);
    try {
      const headers = { 'X-Auth': await signInByApi(product) };
      const agent = keepAlive(connections);
      // The page has requested the listing of the root before.
      await exchange(`${product.url}/api/resources/`, headers, agent);
      const started = performance.now();
      let firstMs = Number.POSITIVE_INFINITY;
      await exchange(`${product.url}/api/resources/${folder}/`, headers, agent);
      await forAll(names.slice(0, firstScreen), connections, async (name) => {
        await exchange(`${product.url}/api/preview/thumb/${folder}/${name}`, headers, agent);
        firstMs = Math.min(firstMs, performance.now() - started);
      });
      screen.push(performance.now() - started);
      first.push(firstMs);
      agent.destroy();
    } finally {
      await product.stop();
    }
  }
  return [
    rowWithin('first thumbnail of a new folder', median(first), maxFirstMs),
    rowWithin(`first screen of ${firstScreen} thumbnails`, median(screen), maxScreenMs),
  ];
}

/** Measures thumbnails per second against sharp alone on the same cores, and the latency of a listing at the same time. */
export async function measurePreviews(product: Product, token: string, root: string): Promise<Row[]> {
  const folder = join(root, 'photographs');
  const names = await makePhotographs(folder);
  const headers = { 'X-Auth': token };
  const agent = keepAlive(connections);
  const listAgent = keepAlive(1);
  const latencies: number[] = [];
  let round = 0;
  sharp.concurrency(1);
  sharp.cache(false);

  const ours = async () => {
    const done = new AbortController();
    const browse = async () => {
      while (!done.signal.aborted) {
        const started = performance.now();
        await exchange(`${product.url}/api/resources/photographs/`, headers, listAgent);
        latencies.push(performance.now() - started);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const browsing = browse();
    await forAll(names, connections, async (name) => {
      await exchange(`${product.url}/api/preview/thumb/photographs/${name}?key=${round}`, headers, agent);
    });
    done.abort();
    await browsing;
  };
  const alone = () =>
    forAll(names, referenceAtOnce, async (name) => {
      await sharp(join(folder, name))
        .rotate()
        .resize(thumbPx, thumbPx, { fit: 'cover' })
        .jpeg({ quality: 80 })
        .toBuffer();
    });
  const { oursMs, referenceMs } = await inTurns(3, ours, alone, async () => {
    // Files that have changed get new thumbnails.
    round++;
    const at = new Date(Date.now() - round * 1000);
    await Promise.all(names.map((name) => utimes(join(folder, name), at, at)));
  });
  agent.destroy();
  listAgent.destroy();
  const firstRows = await measureFirst(root, 'photographs', names);
  await rm(folder, { recursive: true });
  const perSecond = (ms: number) => `${(pictures / (ms / 1000)).toFixed(1)}/s`;
  const slow = percentile(latencies, 0.95);
  return [
    ...firstRows,
    {
      measurement: 'thumbnails of 12-megapixel JPEGs',
      ours: perSecond(oursMs),
      reference: `${perSecond(referenceMs)} sharp alone`,
      ratio: referenceMs / oursMs,
      limit: '≥ 0.8',
    },
    {
      measurement: 'a listing meanwhile, median and 95th percentile',
      ours: `${asMs(median(latencies))}, ${asMs(slow)}`,
      reference: '',
    },
  ];
}
