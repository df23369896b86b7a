/** The columns of all entries. */
export interface SavedEntries {
  readonly names: Uint8Array;
  readonly caseBits: Uint8Array;
  readonly originals: Uint8Array;
  readonly originalEntries: Uint32Array;
  readonly originalOffsets: Uint32Array;
  readonly parents: Uint32Array;
  readonly sizes: Uint32Array;
  readonly sizesHigh: Uint16Array;
  readonly blocks: Uint32Array;
  readonly times: Uint32Array;
  readonly flags: Uint8Array;
}

/** The columns of folders. */
export interface SavedFolders {
  readonly runStarts: Uint32Array;
  readonly runEnds: Uint32Array;
  readonly folderTimes: Float64Array;
  readonly checked: Uint32Array;
  readonly allBytes: Float64Array;
  readonly allBlocks: Float64Array;
  readonly allFiles: Uint32Array;
  readonly allFolders: Uint32Array;
  readonly plainBytes: Float64Array;
  readonly plainBlocks: Float64Array;
  readonly plainFiles: Uint32Array;
  readonly plainFolders: Uint32Array;
}

/** The columns of a catalogue as they are in its file. */
export interface SavedColumns extends SavedEntries, SavedFolders {
  /** {@link SavedRest} as JSON. */
  readonly rest: Uint8Array;
}

/** Reads the columns of a saved catalogue into the memory in which they are used, so that none is copied. */
export interface ColumnSource {
  /** The number of values of a column. */
  lengthOf(name: keyof SavedColumns): number;
  /** Fills `target`. Throws when the column is damaged or has another number of values. */
  read(name: keyof SavedColumns, target: SavedColumns[keyof SavedColumns]): void;
}

/** The values of a catalogue that are not columns. */
export interface SavedRest {
  readonly ordered: number;
  readonly removed: number;
  /** Entries outside of the run of their folder, although they are among the ordered ones. */
  readonly strays: readonly number[];
  readonly strayRuns: readonly (readonly [start: number, end: number])[];
  readonly sizes: readonly (readonly [entry: number, size: number])[];
  readonly blocks: readonly (readonly [entry: number, blocks: number])[];
  readonly times: readonly (readonly [entry: number, time: number])[];
}
