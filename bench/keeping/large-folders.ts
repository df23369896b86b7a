import { type Dirent, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser, ordinaryPermissions } from '../../e2e/support/api.ts';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import { makeFiles, makeTree } from '../files.ts';
import { asMiB, asMs, median, residentBytes, type Row, rowAgainst, rowWithin } from '../measure.ts';

/** Listings of the other user before the removal, for comparison. */
const idleListings = 200;
/** Files of the folder that the other user lists. */
const listedFiles = 100;
/** The limits for 1,000,000 files, which are proportional to their number (milliseconds). */
const maxPatternMs = 3_000;
const maxRemovalMs = 10 * 60_000;
/** The slowest response to the other user during the removal (milliseconds). */
const maxResponseMs = 1_000;
/** Memory that the removal may use beside that at rest (bytes). */
const maxMemory = 24 * 1024 * 1024;
const password = 'a password for measurements';

/** The number of entries in all stores of the served folder. */
function storedEntries(root: string): number {
  const below = (folder: string): Dirent[] => {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      // A folder that the server has just removed.
      return [];
    }
  };
  const top = join(root, '.filestead-trash');
  return below(top)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => below(join(top, name, 'things')))
    .reduce((sum, { parentPath, name }) => sum + below(join(parentPath, name)).length, 0);
}

/** Requests a listing, and resolves to the time of the whole response in milliseconds. */
async function timeListing({ url }: Product, token: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${url}/api/resources/`, { headers: { 'X-Auth': token } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`a listing was refused: ${response.status}`);
  return performance.now() - started;
}

/** Deletes the folder `/large`. Returns the duration of the request in milliseconds, and the id in the trash. */
async function deleteFolder({ url }: Product, token: string): Promise<{ ms: number; id: string }> {
  const started = performance.now();
  const response = await fetch(`${url}/api/resources/large`, {
    method: 'DELETE',
    headers: { 'X-Auth': token },
  });
  if (!response.ok) throw new Error(`the deletion was refused: ${response.status} ${await response.text()}`);
  return { ms: performance.now() - started, id: response.headers.get('x-trash-item') ?? '' };
}

/**
 * Measures the built product with a folder of `files` files: its deletion by a user with a pattern rule, whose names all have to be
 * checked, and its removal forever while another user browses.
 */
export async function measureLargeFolders(top: string, files: number): Promise<Row[]> {
  const root = join(top, 'root');
  await makeFiles(join(root, 'other'), listedFiles, '');
  await makeTree(join(root, 'large'), files, '');
  const product = await startProduct(root, { args: ['--catalogue', 'off'] });
  try {
    const admin = await signInByApi(product);
    const rule = { regex: true, allow: false, path: '', regexp: { raw: String.raw`\.secret$` } };
    const user = { password, perm: ordinaryPermissions };
    await createUser(product, admin, { ...user, username: 'ruled', scope: '/', rules: [rule] });
    await createUser(product, admin, { ...user, username: 'other', scope: '/other' });
    const ruled = await signInByApi(product, 'ruled', password);
    const other = await signInByApi(product, 'other', password);
    const deletion = await deleteFolder(product, ruled);
    const idle: number[] = [];
    for (let round = 0; round < idleListings; round++) idle.push(await timeListing(product, other));
    const memoryBefore = await residentBytes(product.pid);
    const response = await fetch(`${product.url}/api/trash/purge`, {
      method: 'POST',
      headers: { 'X-Auth': ruled, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ids: [deletion.id] }),
    });
    if (!response.ok) throw new Error(`the removal was refused: ${response.status}`);
    // The removal begins after the time in which it can be cancelled.
    await sleep(10_000);
    const started = performance.now();
    const busy: number[] = [];
    let memory = memoryBefore;
    while (storedEntries(root) > 0) {
      for (let round = 0; round < 20; round++) busy.push(await timeListing(product, other));
      memory = Math.max(memory, await residentBytes(product.pid));
    }
    const removalMs = performance.now() - started;
    const slowest = Math.max(...busy);
    const count = files.toLocaleString('en');
    const limitOf = (ms: number): number => (ms * files) / 1_000_000;
    return [
      rowWithin(`trash, a folder of ${count} files with a pattern rule`, deletion.ms, limitOf(maxPatternMs)),
      rowWithin(`trash, removing ${count} files forever`, removalMs, limitOf(maxRemovalMs)),
      {
        measurement: 'trash, slowest listing of another user meanwhile',
        ours: `${asMs(slowest)} of ${busy.length}`,
        reference: asMs(maxResponseMs),
        ratio: slowest / maxResponseMs,
        limit: '≤ 1',
      },
      rowAgainst('trash, median of these listings', median(busy), median(idle), {
        note: 'at rest',
        limit: '≤ 1.5',
      }),
      rowWithin('trash, memory of the removal', memory - memoryBefore, maxMemory, { format: asMiB }),
    ];
  } finally {
    await product.stop();
    await rm(root, { recursive: true, force: true });
  }
}
