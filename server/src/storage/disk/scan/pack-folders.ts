import type { ScannedFolder } from './scan-protocol.ts';

/** The bytes of a row: size, blocks and time, then the kind. */
const numberBytes = 8;
const rowBytes = 3 * numberBytes + 1;

/** Folders whose columns are parts of one buffer, which is to be transferred with them. */
export interface PackedFolders {
  readonly folders: readonly ScannedFolder[];
  readonly buffer: ArrayBuffer;
}

/**
 * Copies the columns of folders into one buffer. Transferred one by one they would need four buffers for each folder, which leave
 * gaps in the memory of both threads.
 */
export function packFolders(folders: readonly ScannedFolder[]): PackedFolders {
  const count = folders.reduce((sum, { kinds }) => sum + kinds.length, 0);
  const buffer = new ArrayBuffer(count * rowBytes);
  const numbers = (column: number): Float64Array<ArrayBuffer> =>
    new Float64Array(buffer, column * count * numberBytes, count);
  const [sizes, blocks, times] = [numbers(0), numbers(1), numbers(2)];
  const kinds = new Uint8Array(buffer, 3 * count * numberBytes, count);
  let from = 0;
  const packed = folders.map((folder) => {
    const to = from + folder.kinds.length;
    sizes.set(folder.sizes, from);
    blocks.set(folder.blocks, from);
    times.set(folder.times, from);
    kinds.set(folder.kinds, from);
    const columns = {
      sizes: sizes.subarray(from, to),
      blocks: blocks.subarray(from, to),
      times: times.subarray(from, to),
      kinds: kinds.subarray(from, to),
    };
    from = to;
    return { ...folder, ...columns };
  });
  return { folders: packed, buffer };
}
