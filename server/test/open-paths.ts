import { readdirSync, readlinkSync } from 'node:fs';

/** Returns the path of each file and folder below `folder` that a process has open, also of deleted ones; by default this process. */
export function openPathsBelow(folder: string, pid: number | 'self' = 'self'): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      return path === folder || path.startsWith(`${folder}/`) ? [path] : [];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}
