import type { BigIntStats } from 'node:fs';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import type { Folder } from '../paths/folder.ts';
import type { Store } from './store.ts';

/** A kept entry that exists in its open store. */
export interface StoredEntry {
  readonly store: Store;
  /** The open folder that contains it. */
  readonly folder: Folder;
  readonly entry: KeptEntry;
  /** Its metadata, links not followed. */
  readonly stats: BigIntStats;
}
