/** One entry of an archive. */
export interface ArchiveEntry {
  /** As the archive names it, `/` between folders, without one at the end. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes once unpacked. */
  readonly size: number;
  /** Unix milliseconds; null when the archive does not say. */
  readonly modifiedMs: number | null;
}

/** What an archive holds. */
export interface ArchiveContents {
  readonly entries: readonly ArchiveEntry[];
  /** Not all of it has been read: there is more than is shown. */
  readonly isPartial: boolean;
  /** How many entries the archive says it has, where it does. */
  readonly total?: number;
  /** Files in it are opened by a password only. */
  readonly isEncrypted?: boolean;
}

/** Entries beyond this number are not listed. */
export const maxEntries = 10_000;

/** Reads bytes `first` to `last` of the archive, both included. */
export type ReadPart = (first: number, last: number) => Promise<Uint8Array<ArrayBuffer>>;
