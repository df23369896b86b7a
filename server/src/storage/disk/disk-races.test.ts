import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { announcingWrites } from '../testing/announced-writes.ts';
import { bytesOf, entriesOf, path, readText } from '../testing/storage-testing.ts';
import { writeTree, temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
/** The content of the file outside. No file inside has the same length. */
const canary = 'CANARY-CANARY-CANARY';

/** Swaps a folder with a link that leads out, as fast as it can, until the test stops it. */
const swapper = `
const fs = require('node:fs');
const [root, outside] = process.argv.slice(1);
for (const event of ['message', 'disconnect', 'error']) process.on(event, () => process.exit());
let swaps = 0;
// The storage works on the same names, so any of these calls may fail.
const attempt = (work) => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};
const turn = () => {
  for (let i = 0; i < 50; i++) {
    if (attempt(() => fs.renameSync(root + '/t', root + '/renamed'))) {
      attempt(() => fs.symlinkSync(outside, root + '/t'));
      attempt(() => fs.unlinkSync(root + '/t'));
      swaps++;
    }
    if (!attempt(() => fs.renameSync(root + '/renamed', root + '/t')) && fs.existsSync(root + '/renamed')) {
      // The storage has created the folder again while its name was free.
      attempt(() => fs.rmSync(root + '/t', { recursive: true, force: true }));
      attempt(() => fs.renameSync(root + '/renamed', root + '/t'));
    }
    attempt(() => {
      fs.renameSync(root + '/t/r.txt', root + '/t/r.renamed');
      fs.symlinkSync(outside + '/victim.txt', root + '/t/r.txt');
      fs.renameSync(root + '/t/r.renamed', root + '/t/r.txt');
    });
  }
  process.send(swaps);
  setImmediate(turn);
};
turn();
`;

describe('races (SL-16, SL-17)', () => {
  test('nothing outside is read, changed, created or removed while folders are swapped with links', async () => {
    const { storage, root, outside } = await disks.open({
      files: { '/t/r.txt': 'inside', '/t/victim.txt': 'inside', '/t/sub/x.txt': 'inside' },
    });
    const small = announcingWrites(storage);
    writeTree(outside, { '/victim.txt': canary, '/r.txt': canary, '/sub/x.txt': canary });
    const child = spawn(process.execPath, ['-e', swapper, root, outside], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let swaps = 0;
    child.on('message', (count) => {
      swaps = Number(count);
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const outcomes = { done: 0, refused: 0 };
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
        outcomes.done++;
      } catch (error) {
        outcomes.refused++;
        expect(error).toMatchObject({ name: 'AppError' });
        expect(error).not.toMatchObject({ code: 'internal_error' });
      }
    };
    const deadline = Date.now() + 20_000;
    const isEnough = (round: number): boolean => (swaps >= 3000 && round >= 300) || Date.now() >= deadline;
    for (let round = 0; !isEnough(round); round++) {
      await Promise.all([
        attempt(async () => expect(await readText(storage, '/t/r.txt')).not.toContain(canary)),
        attempt(async () => expect(await readText(storage, '/t/sub/x.txt')).not.toContain(canary)),
        attempt(() => storage.write(path('/t/r.txt'), bytesOf('changed'), { mode: 'either' })),
        attempt(() => storage.write(path(`/t/new-${round}.txt`), bytesOf('new'), { mode: 'create' })),
        // Small files are stored in one step by other threads.
        attempt(() => small.write(path('/t/r.txt'), bytesOf('changed'), { mode: 'either' })),
        attempt(() => small.write(path(`/t/small-${round}.txt`), bytesOf('new'), { mode: 'create' })),
        attempt(() => storage.createFolder(path(`/t/folder-${round}`))),
        attempt(() => storage.remove(path('/t/victim.txt'))),
        attempt(() => storage.remove(path(`/t/folder-${round - 1}`))),
        attempt(() => storage.copy(path('/t/sub'), path(`/t/copy-${round}`), { overwrite: false })),
        attempt(() =>
          storage.move(path(`/t/new-${round - 1}.txt`), path(`/t/sub/moved-${round}.txt`), {
            overwrite: false,
          }),
        ),
        attempt(async () => {
          const entries = await entriesOf(await storage.list(path('/t')));
          for (const { kind, size } of entries) if (kind === 'file') expect(size).not.toBe(canary.length);
        }),
      ]);
      if (round % 20 === 0) await attempt(() => storage.remove(path('/t/sub')));
      if (round % 20 === 0) await attempt(() => storage.createFolder(path('/t/sub')));
    }
    if (child.connected) child.send('stop');
    expect(await exited).toBe(0);
    expect(swaps).toBeGreaterThan(1000);
    expect(outcomes.done).toBeGreaterThan(100);
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(fs.readdirSync(outside).toSorted()).toEqual(['r.txt', 'sub', 'victim.txt']);
    expect(fs.readdirSync(join(outside, 'sub'))).toEqual(['x.txt']);
    for (const name of ['victim.txt', 'r.txt', 'sub/x.txt'])
      expect(fs.readFileSync(join(outside, name), 'utf8')).toBe(canary);
    await storage.close();
  });

  test('files that are renamed onto each other never both vanish', async () => {
    const { storage, root } = await disks.open({});
    const replace = { overwrite: true };
    for (let round = 0; round < 300; round++) {
      writeTree(root, { '/a.txt': 'a', '/b.txt': 'b' });
      await Promise.all([
        storage.move(path('/a.txt'), path('/b.txt'), replace),
        storage.move(path('/b.txt'), path('/a.txt'), replace),
      ]);
      expect(fs.readdirSync(root).filter((name) => name.endsWith('.txt'))).toHaveLength(1);
    }
  });
});
