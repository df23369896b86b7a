import type { KeepOptions } from '../../kept/kept-entries.ts';
import { type Disk, placeOf } from '../disk.ts';
import { kindOf, type Metadata } from '../paths/metadata.ts';
import { reserveEntry } from './keep-entry.ts';

/** A record that is written before its file is replaced. */
export interface AnnouncedReplacement {
  /** Resolves when the record is flushed, or cannot be written. Never rejects. */
  readonly written: Promise<void>;
  /** Has to be called after the replacement: notes that nothing was kept, if the record was not used. */
  readonly end: () => void;
}

const nothing: AnnouncedReplacement = { written: Promise.resolve(), end: () => undefined };

/**
 * Writes the record of a file that is about to be replaced while its new content is being flushed, so that `displace` does not
 * wait for a second flush. Does nothing unless the store is open; `displace` then writes the record itself.
 *
 * @param names the real path of the file: names from the root of the scope
 * @param stats the file that is about to be replaced; null for none
 */
export function announceReplacement(
  disk: Disk,
  names: readonly string[],
  stats: Metadata | null,
  { keep, accepts }: Pick<KeepOptions, 'keep' | 'accepts'>,
): AnnouncedReplacement {
  const { stores } = disk;
  if (stats === null || keep === undefined || keep === null || stores === null) return nothing;
  const kind = kindOf(Number(stats.mode));
  const name = names.at(-1) ?? '';
  const place = placeOf(disk, names);
  const state = { name, place, kind, size: Number(stats.size), modifiedNs: stats.mtimeNs };
  if (kind === 'folder' || accepts?.(state) === false) return nothing;
  const { reservations } = stores;
  const written = stores
    .ifOpen(place, (store) => reserveEntry(store, { place, name }, keep, reservations))
    .catch(() => undefined);
  return {
    written,
    end: () => {
      const unused = reservations.take(keep.operation, place);
      if (unused === undefined) return;
      const note = stores.ifOpen(place, async ({ path, ledger }) => {
        if (path === unused.store) ledger.appendUnflushed([{ type: 'end', ids: [unused.id] }], unused.keptAt);
      });
      note.catch(() => undefined);
    },
  };
}
