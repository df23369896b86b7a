import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { LetterCase as LetterCaseName } from '@filestead/contract/match-rules';
import { isErrno } from './syscalls.ts';
import { isAtOrBelow, readMounts } from './mount-table.ts';
import { toRawPath } from './raw-names.ts';

/** A part of the served tree, and whether its file system is case-insensitive. */
export interface LetterCase {
  /** The path from the served folder, as names. */
  readonly names: readonly string[];
  readonly isIgnored: boolean;
}

/** The operations on a folder that the probe for case sensitivity needs. */
export interface ProbedFolder {
  /** The names in the folder, read only as far as they are consumed. */
  names(): AsyncIterable<string>;
  /** A string that identifies the entry `name`; null when there is none. */
  identityOf(name: string): Promise<string | null>;
  /** Creates an empty file of this name; false when that is not possible. */
  create(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
}

/** File systems that contain no user files, and network file systems whose server may not respond. Assumed to be case-sensitive. */
const unprobedTypes = new Set(
  'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue nfs nfs4 nsfs proc pstore ramfs rpc_pipefs securityfs sysfs tracefs'.split(
    ' ',
  ),
);

/** The platform's default, for file systems that cannot be probed. */
const isCaseIgnoredByPlatform = process.platform === 'win32' || process.platform === 'darwin';

const withOtherCase = (name: string): string =>
  name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

async function isListed(folder: ProbedFolder, listedName: string): Promise<boolean> {
  for await (const name of folder.names()) if (name === listedName) return true;
  return false;
}

/** Whether names that differ only in case are the same entry in `folder`; null when it cannot be determined. */
export async function ignoresCase(folder: ProbedFolder): Promise<boolean | null> {
  for await (const name of folder.names()) {
    const other = withOtherCase(name);
    const identity = other === name ? null : await folder.identityOf(name);
    if (identity === null) continue;
    // When both are listed, they are two hard links to one file.
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

/** Mount points below the real path `root`; none on systems that do not report them. */
async function mountsBelow(root: string): Promise<string[]> {
  const mounts = (await readMounts()) ?? [];
  return mounts.flatMap(({ point, type }) =>
    point !== root && isAtOrBelow(point, root) && !unprobedTypes.has(type) ? [point] : [],
  );
}

/**
 * Probes whether the served folder and the file systems mounted below it are case-insensitive, by looking up a name with the
 * other case. A file system that is mounted later, or cannot be probed, is treated like the one that contains it.
 */
export async function readLetterCases(root: string): Promise<LetterCase[]> {
  const real = await fs.realpath(root);
  const roots = [real, ...(await mountsBelow(real))];
  const found = await Promise.all(
    roots.map(async (folder) => {
      const probed = await ignoresCase(probedFolder(folder)).catch(() => null);
      const isIgnored = probed ?? (folder === real ? isCaseIgnoredByPlatform : null);
      // The path of the root itself is empty.
      const names = path
        .relative(real, folder)
        .split(path.sep)
        .filter((name) => name !== '');
      return isIgnored === null ? [] : [{ names, isIgnored }];
    }),
  );
  return found.flat();
}

/** The case sensitivity of the whole served tree, which is sent to the page. */
export function letterCaseOf(cases: readonly LetterCase[]): LetterCaseName {
  const root = cases.find(({ names }) => names.length === 0)?.isIgnored ?? false;
  if (cases.some(({ isIgnored }) => isIgnored !== root)) return 'mixed';
  return root ? 'insensitive' : 'sensitive';
}

/** Whether names at the path `names` are case-insensitive: the innermost of `cases` that contains it decides. */
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
