import type { MarkedRow } from '@filestead/contract/endpoints/marks';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { EntryMarks } from '../../features/marks/entry-marks.tsx';
import { listEntries, type ScatteredEntry } from '../scattered/list-entries.ts';

/** Lists the rows that exist, in their order and with their marks. Returns them as entries. */
export function listMarked(model: ListingModel, rows: readonly MarkedRow[]): readonly ScatteredEntry[] {
  const existing = rows.filter(({ gone }) => gone !== true);
  const entries = existing.map(({ path, dir, size, modified, type }) => ({
    path: path as VirtualPath,
    isFolder: dir,
    size,
    modifiedMs: modified === null ? null : Date.parse(modified),
    type,
  }));
  listEntries(model, entries);
  const marks = new Map(existing.map((row) => [row.path.slice(1), row]));
  model.decorate((path) => {
    const row = marks.get(path);
    return (
      row !== undefined &&
      (row.favorite || row.tags.length > 0) && <EntryMarks favorite={row.favorite} tags={row.tags} />
    );
  });
  return entries;
}
