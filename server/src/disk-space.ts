/** The fields of statfs(2) with the size and the free space of a file system. */
export interface FileSystemStats {
  /** Block size in bytes. */
  readonly bsize: number;
  readonly blocks: number;
  readonly bavail: number;
}

/**
 * Returns the size of a file system and the part that can be filled (bytes). It leaves out the blocks that only root can
 * fill, as `bavail` does, which is negative while root uses them.
 */
export function diskSpaceOf({ bsize, blocks, bavail }: FileSystemStats): {
  readonly total: number;
  readonly free: number;
} {
  return { total: blocks * bsize, free: Math.min(Math.max(bavail, 0), blocks) * bsize };
}
