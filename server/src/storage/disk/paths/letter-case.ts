import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { LetterCase as LetterCaseName } from '@filestead/contract/match-rules';
import { isErrno } from './syscalls.ts';
import { isAtOrBelow, readMounts } from './mount-table.ts';
import { toRawPath } from './raw-names.ts';

/** A part of the served tree, and whether names there that differ only in case are one. */
export interface LetterCase {
  /** The names that lead to it from the served folder. */
  readonly names: readonly string[];
  readonly isIgnored: boolean;
}

/** A folder as the probe of its letter case uses it. */
export interface ProbedFolder {
  /** The names in it, read as far as they are taken. */
  names(): AsyncIterable<string>;
  /** Which thing a name leads to; null when it leads nowhere. */
  identityOf(name: string): Promise<string | null>;
  /** Makes an empty file of this name; false when nothing can be made here. */
  create(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
}

/** File systems without files of users, and those whose server may not answer: they keep letters apart. */
const leftOut = new Set(
  'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue nfs nfs4 nsfs proc pstore ramfs rpc_pipefs securityfs sysfs tracefs'.split(
    ' ',
  ),
);

/** The usual behaviour of the platform, for disks that cannot be probed. */
const isIgnoredAsARule = process.platform === 'win32' || process.platform === 'darwin';

const withOtherCase = (name: string): string =>
  name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

async function isListed(folder: ProbedFolder, wanted: string): Promise<boolean> {
  for await (const name of folder.names()) if (name === wanted) return true;
  return false;
}

/** Whether names that differ only in case lead to the same thing in `folder`; null when it cannot be found out. */
export async function ignoresCase(folder: ProbedFolder): Promise<boolean | null> {
  for await (const name of folder.names()) {
    const other = withOtherCase(name);
    const identity = other === name ? null : await folder.identityOf(name);
    if (identity === null) continue;
    // Where both are listed they are two names of one thing.
    return (await folder.identityOf(other)) === identity && !(await isListed(folder, other));
  }
  const probe = `.filestead-case-${randomUUID()}`;
  if (!(await folder.create(probe))) return null;
  try {
    return (await folder.identityOf(withOtherCase(probe))) !== null;
  } finally {
    await folder.remove(probe);
  }
}

const probedFolder = (folder: string): ProbedFolder => ({
  async *names() {
    for await (const { name } of await fs.opendir(toRawPath(folder))) yield name;
  },
  async identityOf(name) {
    try {
      const { dev, ino } = await fs.lstat(toRawPath(path.join(folder, name)), { bigint: true });
      return `${dev}:${ino}`;
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return null;
      throw error;
    }
  },
  create: (name) =>
    fs.writeFile(toRawPath(path.join(folder, name)), '', { flag: 'wx', mode: 0o600 }).then(
      () => true,
      () => false,
    ),
  remove: (name) => fs.rm(toRawPath(path.join(folder, name)), { force: true }),
});

/** Mount points below the real path `root`; none where the system does not tell. */
async function mountsBelow(root: string): Promise<string[]> {
  const mounts = (await readMounts()) ?? [];
  return mounts.flatMap(({ point, type }) =>
    point !== root && isAtOrBelow(point, root) && !leftOut.has(type) ? [point] : [],
  );
}

/**
 * How the served folder and the disks mounted below it compare names, found out once by asking each of them for a name in
 * other letters. A disk that is mounted later, or gives no answer, counts as what holds it.
 */
export async function readLetterCases(root: string): Promise<LetterCase[]> {
  const real = await fs.realpath(root);
  const places = [real, ...(await mountsBelow(real))];
  const found = await Promise.all(
    places.map(async (place) => {
      const answer = await ignoresCase(probedFolder(place)).catch(() => null);
      const isIgnored = answer ?? (place === real ? isIgnoredAsARule : null);
      // The path of the root itself is empty.
      const names = path
        .relative(real, place)
        .split(path.sep)
        .filter((name) => name !== '');
      return isIgnored === null ? [] : [{ names, isIgnored }];
    }),
  );
  return found.flat();
}

/** How the file systems of the served tree compare letters, in one word. */
export function letterCaseOf(cases: readonly LetterCase[]): LetterCaseName {
  const root = cases.find(({ names }) => names.length === 0)?.isIgnored ?? false;
  if (cases.some(({ isIgnored }) => isIgnored !== root)) return 'mixed';
  return root ? 'insensitive' : 'sensitive';
}

/** Whether letters that differ only in case are the same at `names`: the innermost of `cases` that holds it decides. */
export function isCaseIgnoredAt(cases: readonly LetterCase[], names: readonly string[]): boolean {
  let depth = -1;
  let isIgnored = false;
  for (const each of cases) {
    if (each.names.length <= depth || !each.names.every((name, i) => name === names[i])) continue;
    depth = each.names.length;
    ({ isIgnored } = each);
  }
  return isIgnored;
}
