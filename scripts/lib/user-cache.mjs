// Cache folders outside the repository that are kept between runs: installed packages, Node binaries, minimal systems.
import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Returns a cache folder of this user, created if missing. A folder of that name that belongs to another user is not used. */
export function userCache(name) {
  const folder = join(tmpdir(), `filestead-${name}-${userInfo().username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const isOwn = process.getuid === undefined || statSync(folder).uid === process.getuid();
  return isOwn ? folder : mkdtempSync(`${folder}-`);
}
