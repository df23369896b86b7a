import type { EntryType } from '@filestead/contract/files';
import { pictureAddress } from '../../features/files/entries/picture-address.ts';
import type { FoundEntry } from '../../features/search/find-entries.ts';

/** A found entry whose type is known, and with it the rest. */
type KnownEntry = FoundEntry & {
  readonly type: EntryType;
  readonly size: number;
  readonly modifiedMs: number;
};

/** Returns the address of the thumbnail of a found entry; null without one, as for entries of unknown type. */
export const pictureOfFound = (entry: FoundEntry): string | null =>
  pictureAddress(entry as KnownEntry, 'list', false);
