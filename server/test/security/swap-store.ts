import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The folders of a store that contain an entry, from the top. */
export const storeFolders = ['store', 'installation', 'things', 'hour'] as const;

/**
 * The time for which a store stays open after a use (milliseconds), and a little more. Until then, the server reads the
 * folders that it has opened, wherever they are now.
 */
export const storeClosesMs = 5_500;

const isPipe = (path: string): boolean => lstatSync(path).isFIFO();

/** The path in the store of the entry with this id; `folder` contains the served folder `root`. */
export function storedPath(folder: string, id: string): string {
  const top = join(folder, 'root/.filestead-trash');
  const stored = readdirSync(top, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.includes(`${id} `),
  );
  if (stored === undefined) throw new Error(`${id} is not in the store`);
  return join(top, stored);
}

/**
 * Puts a link in the place of one of the folders that contain an entry, to a copy of that folder outside of the served one in
 * which another file has the name of the entry. The returned function puts the folder back.
 */
export function swapFolder(
  folder: string,
  id: string,
  { part, other }: { readonly part: (typeof storeFolders)[number]; readonly other: string },
): () => void {
  const stored = storedPath(folder, id);
  const hour = dirname(stored);
  const things = dirname(hour);
  const installation = dirname(things);
  const swapped = { hour, things, installation, store: dirname(installation) }[part];
  const forged = join(folder, 'forged');
  const kept = join(folder, 'kept-folder');
  if (existsSync(forged) || existsSync(kept)) throw new Error('another folder is swapped');
  const above = dirname(swapped);
  const { mtimeNs } = statSync(above, { bigint: true });
  // Pipes of other tests cannot be copied.
  cpSync(swapped, forged, { recursive: true, filter: (path) => !isPipe(path) });
  cpSync(other, join(forged, stored.slice(swapped.length)));
  renameSync(swapped, kept);
  symlinkSync(forged, swapped);
  return () => {
    rmSync(swapped);
    renameSync(kept, swapped);
    rmSync(forged, { recursive: true });
    // The stage compares the times of folders, to the nanosecond.
    const [seconds, rest] = [mtimeNs / 1_000_000_000n, mtimeNs % 1_000_000_000n];
    execFileSync('touch', ['-m', '-d', `@${seconds}.${String(rest).padStart(9, '0')}`, above]);
  };
}
