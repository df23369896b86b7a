import { readdir, stat, statfs } from 'node:fs/promises';
import { diskSpaceOf } from '../disk-space.ts';

/** Free bytes of the disk of `folder`, without blocks reserved for root. Throws the error of the system. */
export async function freeBytesOf(folder: string): Promise<number> {
  return diskSpaceOf(await statfs(folder)).free;
}

/** Size of a file in bytes. Throws the error of the system. */
export const fileBytes = async (path: string): Promise<number> => (await stat(path)).size;

/** Number of open file descriptors of this process. Throws where the system does not show them. */
export const countDescriptors = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
