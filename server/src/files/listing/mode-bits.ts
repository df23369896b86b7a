const typeMask = 0o170000;
/** The type bits of File Browser’s API (docs/reference/filebrowser-api.md §1.5), by those of the operating system. */
const typeBits = new Map<number, number>([
  [0o040000, 2 ** 31], // folder
  [0o120000, 2 ** 27], // symbolic link
  [0o060000, 2 ** 26], // block device
  [0o020000, 2 ** 26 + 2 ** 21], // character device
  [0o010000, 2 ** 25], // named pipe
  [0o140000, 2 ** 24], // socket
]);

/** Converts `st_mode` to the mode of File Browser’s API: the same nine permission bits, but other type and special bits. */
export function modeBits(mode: number): number {
  const special =
    (mode & 0o4000 ? 2 ** 23 : 0) + (mode & 0o2000 ? 2 ** 22 : 0) + (mode & 0o1000 ? 2 ** 20 : 0);
  return (mode & 0o777) + special + (typeBits.get(mode & typeMask) ?? 0);
}
