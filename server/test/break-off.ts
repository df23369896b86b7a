import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isTemporaryName } from '../src/storage/disk/paths/temporary-names.ts';

/** Returns the sizes of the unfinished files in a folder of the disk. */
export const unfinishedSizes = (folder: string): number[] =>
  readdirSync(folder)
    .filter(isTemporaryName)
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);

/**
 * Sends the beginning of an upload, cuts the connection once its unfinished file is in `folder`, and resolves when the
 * server has removed that file. `meanwhile` runs before the connection is cut. No other upload may be in progress in
 * the folder.
 */
export async function breakOffUpload(
  port: number,
  beginning: string | Uint8Array,
  folder: string,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(beginning);
  await expect.poll(() => unfinishedSizes(folder)).toHaveLength(1);
  await meanwhile();
  socket.destroy();
  await expect.poll(() => unfinishedSizes(folder)).toEqual([]);
}
