/** One entry of an archive. */
export interface ArchiveEntry {
  /** The path within the archive: folders are separated by `/`, without one at the end. */
  readonly name: string;
  readonly isFolder: boolean;
  /** The unpacked size in bytes. */
  readonly size: number;
  /** Unix milliseconds; null when the archive does not record it. */
  readonly modifiedMs: number | null;
}

/** The listing of an archive. */
export interface ArchiveContents {
  readonly entries: readonly ArchiveEntry[];
  /** Whether the archive has more entries than were read. */
  readonly isPartial: boolean;
  /** The number of entries that the archive declares, if it declares one. */
  readonly total?: number;
  /** Whether some files are encrypted with a password. */
  readonly isEncrypted?: boolean;
}

/** Maximum number of listed entries. */
export const maxEntries = 10_000;

/** Reads the bytes from `first` to `last` of the archive, both inclusive. */
export type ReadRange = (first: number, last: number) => Promise<Uint8Array<ArrayBuffer>>;
