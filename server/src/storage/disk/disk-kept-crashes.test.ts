import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { KeptEntry } from '../kept/kept-entries.ts';
import type { Storage } from '../storage.ts';
import { installCrashSwitch } from '../testing/crash-switch.ts';
import { causeOf, keep, recordsOf, restored } from '../testing/kept-testing.ts';
import { path, treeOf } from '../testing/storage-testing.ts';
import { writeTree } from '../testing/temporary-disk.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import { syscalls } from './paths/syscalls.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** The calls of the process, which other files of tests share, as they are without a crash. */
let restoreCalls = (): void => undefined;
// A test that takes too long does not come to its end.
afterEach(() => restoreCalls());

/** Every content is unique, so that a lost or doubled file is found anywhere. */
const files = {
  '/a.txt': 'content a',
  '/docs/b.txt': 'content b',
  '/docs/inner/c.txt': 'content c',
  '/docs/empty/': '',
};
const contents = ['content a', 'content b', 'content c'];

/** An operation on {@link files}, and the state that it needs. */
interface Interruptible {
  readonly name: string;
  readonly prepare?: (storage: Storage) => Promise<KeptEntry[]>;
  readonly run: (storage: Storage, entries: readonly KeptEntry[]) => Promise<unknown>;
  /** Further contents that `prepare` creates. */
  readonly added?: readonly string[];
  readonly isPurge?: boolean;
  readonly refusesLinks?: boolean;
  /** A content that exists once the operation has succeeded. */
  readonly arriving?: string;
  /** A file that exists before and after the operation. */
  readonly stays?: string;
}

async function* text(content: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(content);
}

/** Deletes `/a.txt` and creates another file in its place. */
async function keepAndReplace(storage: Storage): Promise<KeptEntry[]> {
  const entry = await keep(storage, '/a.txt');
  await storage.write(path('/a.txt'), text('content d'), { mode: 'create' });
  return [entry];
}

const replacing = (storage: Storage, [entry]: readonly KeptEntry[]): Promise<void> =>
  storage.restore(entry as KeptEntry, path('/a.txt'), {
    conflict: 'replace',
    createParents: true,
    keep: causeOf('restore'),
  });

const operations: readonly Interruptible[] = [
  { name: 'the first deletion on a volume', run: (storage) => keep(storage, '/a.txt') },
  {
    name: 'the deletion of a folder',
    prepare: async (storage) => [await keep(storage, '/a.txt')],
    run: (storage) => keep(storage, '/docs'),
  },
  {
    name: 'the restoring of a file',
    prepare: async (storage) => [await keep(storage, '/a.txt')],
    run: (storage, [entry]) => storage.restore(entry as KeptEntry, path('/new/a.txt'), restored),
  },
  {
    name: 'the restoring of a folder',
    prepare: async (storage) => [await keep(storage, '/docs')],
    run: (storage, [entry]) => storage.restore(entry as KeptEntry, path('/docs'), restored),
  },
  {
    name: 'the restoring of a file over another one',
    prepare: keepAndReplace,
    run: replacing,
    added: ['content d'],
    stays: '/a.txt',
  },
  {
    name: 'the restoring of a file over another one, without hard links',
    prepare: keepAndReplace,
    run: replacing,
    added: ['content d'],
    stays: '/a.txt',
    refusesLinks: true,
  },
  {
    name: 'the restoring of a folder into an existing one',
    prepare: async (storage) => {
      const entry = await keep(storage, '/docs');
      await storage.write(path('/docs/b.txt'), text('content d'), { mode: 'create', createParents: true });
      return [entry];
    },
    run: (storage, [entry]) =>
      storage.restore(entry as KeptEntry, path('/docs'), {
        conflict: 'replace',
        createParents: true,
        keep: causeOf('restore'),
      }),
    added: ['content d'],
  },
  {
    name: 'a save over a file',
    run: (storage) =>
      storage.write(path('/a.txt'), text('content e'), { mode: 'replace', keep: causeOf('save') }),
    stays: '/a.txt',
    arriving: 'content e',
  },
  {
    name: 'the final deletion of a folder and a file',
    prepare: async (storage) => [await keep(storage, '/docs'), await keep(storage, '/a.txt')],
    run: (storage, entries) => storage.purge(entries),
    isPurge: true,
  },
];

/** All file contents in the tree and among the kept entries, and the ids of doomed entries. */
async function everything(
  storage: Storage,
): Promise<{ found: string[]; kept: KeptEntry[]; doomed: string[] }> {
  const found = Object.values(await treeOf(storage)).filter((content) => content !== '');
  const kept: KeptEntry[] = [];
  const doomed: string[] = [];
  for (const record of await recordsOf(storage)) {
    if (record.kind === 'doom') doomed.push(record.id);
    if (record.kind !== 'keep') continue;
    kept.push(record.entry);
    const inner = await storage.kept(record.entry);
    try {
      found.push(...Object.values(await treeOf(inner)).filter((content) => content !== ''));
    } finally {
      await inner.close();
    }
  }
  return { found: found.toSorted(), kept, doomed };
}

/** Runs an operation until call `point`, opens the disk again, and checks that nothing was lost. Returns the number of calls. */
async function crashAt(operation: Interruptible, point: number): Promise<number> {
  const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'filestead-crash-')));
  folders.push(top);
  const root = join(top, 'root');
  fs.mkdirSync(root);
  writeTree(root, files);
  const options = { root, temporaryJournal: join(top, 'journal'), storeRegistry: join(top, 'stores.json') };
  const { link } = syscalls;
  if (operation.refusesLinks === true)
    syscalls.link = (async () => {
      throw Object.assign(new Error('no links'), { code: 'EPERM' });
    }) as unknown as typeof link;
  const power = installCrashSwitch();
  restoreCalls = () => {
    power.remove();
    syscalls.link = link;
  };
  let calls: number;
  let isDone = false;
  try {
    const storage = await openDiskStorage(options);
    const entries = (await operation.prepare?.(storage)) ?? [];
    power.arm(point);
    const run = operation.run(storage, entries).then(
      () => (isDone = true),
      (error: unknown) => {
        if (!power.isOff) throw error;
      },
    );
    await Promise.race([run, power.off]);
    calls = power.count;
    // Calls of the background may come so late that this is the one that does not return.
    if (!power.isOff) await Promise.race([storage.close(), power.off]);
  } finally {
    power.remove();
  }
  try {
    const again = await openDiskStorage(options);
    try {
      const label = `${operation.name}, call ${point}`;
      const expected = [...contents, ...(operation.added ?? [])].toSorted();
      const { found, kept, doomed } = await everything(again);
      if (operation.isPurge === true) {
        for (const content of found) expect(expected, label).toContain(content);
        if (doomed.length === 0) expect(found, label).toEqual(expected);
        await again.purge(kept.filter(({ id }) => doomed.includes(id)));
        expect(
          (await everything(again)).kept.filter(({ id }) => doomed.includes(id)),
          label,
        ).toEqual([]);
      } else {
        const arriving = operation.arriving ?? '';
        if (isDone || found.includes(arriving)) expected.push(...(arriving === '' ? [] : [arriving]));
        expect(found, label).toEqual(expected);
        if (operation.stays !== undefined)
          expect(await again.stat(path(operation.stays)), label).not.toBeNull();
        for (const entry of kept) await again.restore(entry, path(`/again/${entry.id}`), restored);
        expect((await everything(again)).found, label).toEqual(expected);
      }
      const reports = await again.stores();
      expect(
        reports.map(({ withoutRecord }) => withoutRecord),
        label,
      ).toEqual(reports.map(() => 0));
      if (!isDone) expect(fs.readdirSync(root).filter((name) => name.endsWith('.part'))).toEqual([]);
    } finally {
      await again.close();
    }
  } finally {
    syscalls.link = link;
  }
  return calls;
}

describe('a crash at any call loses and doubles nothing', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    'during %s',
    { timeout: 120_000 },
    async (_name, operation) => {
      const calls = await crashAt(operation, Infinity);
      expect(calls).toBeGreaterThan(2);
      for (let point = 1; point <= calls; point++) await crashAt(operation, point);
    },
  );
});
