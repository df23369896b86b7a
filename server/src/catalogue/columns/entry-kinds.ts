import { scannedKinds } from '../../storage/disk/scan/scan-protocol.ts';

/** The kinds of entries in the catalogue, by number. */
export const entryKinds = scannedKinds;
export type CatalogueKind = (typeof entryKinds)[number];

export const fileKind = 0;
export const folderKind = 1;
export const linkKind = 3;

/** The metadata of one entry. Sizes and blocks of everything but files are 0. */
export interface EntryData {
  readonly name: string;
  /** Index into {@link entryKinds}. */
  readonly kind: number;
  /** Bytes. */
  readonly size: number;
  /** Allocated blocks of 512 bytes. */
  readonly blocks: number;
  /** Unix seconds of the last modification, rounded down. */
  readonly time: number;
}
