/** The kinds of entries in the catalogue, by number. A link is never followed. */
export const entryKinds = ['file', 'folder', 'special', 'link'] as const;
export type CatalogueKind = (typeof entryKinds)[number];

export const fileKind = 0;
export const folderKind = 1;
export const specialKind = 2;
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
