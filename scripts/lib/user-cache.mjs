// Folders outside the repository that outlive a run of the tests: installed packages, programs of Node, minimal systems.
import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A folder of that name for this user only. Another user's folder of that name is not used. */
export function userCache(name) {
  const folder = join(tmpdir(), `filestead-${name}-${userInfo().username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const isOurs = process.getuid === undefined || statSync(folder).uid === process.getuid();
  return isOurs ? folder : mkdtempSync(`${folder}-`);
}
