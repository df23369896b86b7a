import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Gives a file or folder that this process has just created to the owner of its folder if the process runs as root: the server runs as
 * that account and could not open it. Does nothing for links and for files with several names, which the other account may have
 * put in its place.
 */
export function adoptOwner(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    const isOwn = found.uid === 0 && (found.isDirectory() || (found.isFile() && found.nlink === 1));
    if (isOwn) fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}

/** Like {@link adoptOwner}, for a folder and everything in it. */
export function adoptTree(path: string): void {
  if (process.geteuid?.() !== 0) return;
  adoptOwner(path);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) adoptTree(join(path, entry.name));
    else if (entry.isFile()) adoptOwner(join(path, entry.name));
  }
}

/** Creates a folder that only its account can open, and missing folders above it; see {@link adoptOwner}. */
export function makePrivateFolder(path: string): void {
  // Node returns the first created folder in the spelling of the path.
  const whole = resolve(path);
  const first = mkdirSync(whole, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const created: string[] = [];
  for (let folder = whole; folder.length >= first.length; folder = dirname(folder)) created.unshift(folder);
  for (const folder of created) adoptOwner(folder);
}
