import fs, { type Dirent } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogueEngine } from '../../src/catalogue/catalogue-engine.ts';
import type { FindResponse, FromCatalogue } from '../../src/catalogue/catalogue-protocol.ts';
import { type Random, randomOf } from '../random.ts';
import { parseFind } from '../../src/catalogue/query/parse-find.ts';
import type { ScanPort } from '../../src/catalogue/folder-requests.ts';
import { openTreeScan } from '../../src/storage/disk/scan/open-scan.ts';
import { wholeTree } from './whole-tree.ts';

/** An entry as text: its path, kind, size and time. */
type EntryText = string;

const textOf = (path: string, kind: string, size: number, time: number): EntryText =>
  `${path} ${kind} ${size} ${time}`;

/** All entries below a folder of the disk, links not followed. */
function walk(top: string): EntryText[] {
  const found: EntryText[] = [];
  const visit = (folder: string, prefix: string): void => {
    for (const name of fs.readdirSync(folder)) {
      const stats = fs.lstatSync(join(folder, name));
      const kind = stats.isFile()
        ? 'file'
        : stats.isDirectory()
          ? 'folder'
          : stats.isSymbolicLink()
            ? 'link'
            : 'special';
      found.push(
        textOf(prefix + name, kind, stats.isFile() ? stats.size : 0, Math.floor(stats.mtimeMs / 1000)),
      );
      if (kind === 'folder') visit(join(folder, name), `${prefix}${name}/`);
    }
  };
  visit(top, '');
  return found.sort();
}

/**
 * {@link Changer} reads again which entries there are after one change for this number of them: a small tree for each change, and one of
 * some thousand entries, whose reading takes longer than the change, more seldom.
 */
const entriesPerChange = 100;

/** Changes a tree as other programs do: also by moving folders out of it and into it, and by replacing them with links. */
class Changer {
  readonly #random: Random;
  readonly #root: string;
  readonly #outside: string;
  #next = 0;
  #changesSinceReading = 0;
  #paths: readonly string[] = [];
  #folders: readonly string[] = [];

  constructor(random: Random, root: string, outside: string) {
    this.#random = random;
    this.#root = root;
    this.#outside = outside;
  }

  #name(): string {
    this.#next += 1;
    return `${this.#random.pick(['file', 'Folder', 'Größe', '写真', '.hidden'])}-${this.#next}`;
  }

  /** Reads which entries there are. */
  #readPaths(): void {
    const found = fs.readdirSync(this.#root, { recursive: true, withFileTypes: true });
    const pathsOf = (entries: readonly Dirent[]): string[] =>
      entries.map((entry) => join(entry.parentPath, entry.name));
    this.#changesSinceReading = 0;
    this.#paths = pathsOf(found);
    this.#folders = [this.#root, ...pathsOf(found.filter((entry) => entry.isDirectory()))];
  }

  #folder(): string {
    return this.#random.pick(this.#folders);
  }

  /** Makes one change. Some fail, such as moves of a folder into itself, or of an entry that has been moved since it was read. */
  change(): void {
    if (this.#changesSinceReading * entriesPerChange >= this.#paths.length) this.#readPaths();
    this.#changesSinceReading += 1;
    try {
      this.#change();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  #change(): void {
    const random = this.#random;
    const paths = this.#paths;
    const path = paths.length === 0 ? '' : random.pick(paths);
    switch (random.below(11)) {
      case 0:
        fs.mkdirSync(join(this.#folder(), this.#name(), this.#name(), this.#name()), { recursive: true });
        break;
      case 1:
      case 2:
        fs.writeFileSync(join(this.#folder(), this.#name()), Buffer.alloc(random.below(5000)));
        break;
      case 3: {
        const folder = this.#folder();
        for (let i = 0; i < random.below(30); i++) fs.writeFileSync(join(folder, this.#name()), '');
        break;
      }
      case 4:
        if (path !== '' && random.below(3) === 0) fs.rmSync(path, { recursive: true });
        break;
      case 5:
        if (path !== '') fs.renameSync(path, join(this.#folder(), this.#name()));
        break;
      case 6:
        if (path !== '') fs.renameSync(path, join(this.#outside, this.#name()));
        break;
      case 7: {
        const outside = fs.readdirSync(this.#outside);
        if (outside.length > 0)
          fs.renameSync(join(this.#outside, random.pick(outside)), join(this.#folder(), this.#name()));
        break;
      }
      case 8:
        // A folder becomes a link to itself under its new name, or a link becomes a folder.
        if (path !== '' && fs.lstatSync(path).isDirectory()) {
          const moved = join(this.#folder(), this.#name());
          fs.renameSync(path, moved);
          fs.symlinkSync(moved, path);
        } else if (path !== '' && fs.lstatSync(path).isSymbolicLink()) {
          fs.rmSync(path);
          fs.mkdirSync(join(path, this.#name()), { recursive: true });
        }
        break;
      case 9:
        // Two entries exchange their names.
        if (path !== '') {
          const other = random.pick(paths);
          const between = join(this.#outside, this.#name());
          fs.renameSync(path, between);
          fs.renameSync(other, path);
          fs.renameSync(between, other);
        }
        break;
      default:
        if (path !== '' && fs.lstatSync(path).isFile()) fs.appendFileSync(path, 'more');
    }
  }
}

/** More than the folders of a tree. */
const maxWatches = 30_000;
/** The time for which a difference in watched folders may last (milliseconds). */
const maxWatchedMs = 20_000;

/** The differences between a catalogue and the disk after random changes by other programs. */
export interface TruthResult {
  readonly operations: number;
  readonly entries: number;
  /** Entries that differ although all folders are watched; and the time until the last difference was gone (milliseconds). */
  readonly wrongWatched: readonly EntryText[];
  readonly watchedMs: number;
  /** Names and kinds that differ after one sweep of folder times. */
  readonly wrongNames: readonly EntryText[];
  /** Entries that differ after all entries were read again. */
  readonly wrongEntries: readonly EntryText[];
}

const difference = (a: readonly EntryText[], b: readonly EntryText[]): EntryText[] => {
  const [inA, inB] = [new Set(a), new Set(b)];
  return [...a.filter((text) => !inB.has(text)), ...b.filter((text) => !inA.has(text))];
};
const nameAndKind = (text: EntryText): string => text.split(' ').slice(0, 2).join(' ');

/** Changes a tree at random while its catalogue is built and swept; compares both when the changes have ended. */
export async function compareWithWalk(options: {
  readonly seed: number;
  readonly operations: number;
}): Promise<TruthResult> {
  const top = await mkdtemp(join(tmpdir(), 'filestead-truth-'));
  const [root, outside] = [join(top, 'root'), join(top, 'outside')];
  fs.mkdirSync(root);
  fs.mkdirSync(outside);
  const changer = new Changer(randomOf(options.seed), root, outside);
  const scan = openTreeScan({ root }, [], undefined, () => maxWatches);
  const thread = await scan.start('full', (error) => {
    throw error;
  });
  const listeners = new Set<(message: FromCatalogue) => void>();
  const next = (matches: (message: FromCatalogue) => boolean): Promise<FromCatalogue> =>
    new Promise((resolve) => {
      const listener = (message: FromCatalogue): void => {
        if (!matches(message)) return;
        listeners.delete(listener);
        resolve(message);
      };
      listeners.add(listener);
    });
  const engine = new CatalogueEngine(
    {
      kind: 'start',
      scan: thread.port,
      source: { rootId: thread.rootId, rules: '' },
      file: join(top, 'catalogue'),
      maxEntries: 1_000_000,
      reportsChanges: false,
      maxWatches: thread.maxWatches,
    },
    thread.port as unknown as ScanPort,
    {
      post: (message) => {
        for (const listener of listeners) listener(message);
      },
      now: Date.now,
      after: () => () => undefined,
    },
  );
  const found = async (): Promise<EntryText[]> => {
    const response = next(({ kind }) => kind === 'found');
    engine.handle({
      kind: 'find',
      id: 1,
      visible: wholeTree,
      query: parseFind('', 0),
      near: null,
      used: [],
      only: null,
      limit: 1_000_000,
      sort: 'name',
      isDescending: false,
      now: 0,
      stop: new SharedArrayBuffer(4),
    });
    const { rows } = (await response) as FindResponse;
    return rows.map(({ path, kind, size, time }) => textOf(path, kind, size, time)).sort();
  };
  const sweep = async (isWhole: boolean): Promise<void> => {
    const idle = next((message) => message.kind === 'state' && message.state === 'idle');
    engine.handle({ kind: 'sweep', isWhole });
    await idle;
  };
  try {
    for (let i = 0; i < options.operations / 3; i++) changer.change();
    const idle = next((message) => message.kind === 'state' && message.state === 'idle');
    engine.open();
    for (let i = 0; i < options.operations / 3; i++) {
      changer.change();
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await idle;
    const during = sweep(false);
    for (let i = 0; i < options.operations / 3; i++) {
      changer.change();
      if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await during;
    await sweep(true);
    for (let i = 0; i < options.operations / 3; i++) {
      changer.change();
      if (i % 20 === 0) await sleep(1);
    }
    const startedAt = performance.now();
    let wrongWatched: readonly EntryText[];
    do {
      await sleep(50);
      wrongWatched = difference(await found(), walk(root));
    } while (wrongWatched.length > 0 && performance.now() - startedAt < maxWatchedMs);
    const watchedMs = performance.now() - startedAt;
    for (let i = 0; i < options.operations / 3; i++) changer.change();
    await sweep(false);
    const disk = walk(root);
    const wrongNames = difference((await found()).map(nameAndKind), disk.map(nameAndKind));
    await sweep(true);
    return {
      operations: options.operations,
      wrongWatched,
      watchedMs,
      entries: disk.length,
      wrongNames,
      wrongEntries: difference(await found(), disk),
    };
  } finally {
    await thread.close();
    await rm(top, { recursive: true, force: true });
  }
}
