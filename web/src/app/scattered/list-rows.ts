import { entryTypes, type ListingHeader, type ListingRow } from '@filestead/contract/files';
import { naturalOrder } from '@filestead/contract/paths/natural-order';
import { rootPath } from '@filestead/contract/paths/virtual-path';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';

/** The properties of items from which a listing is made. */
interface RowSource<Item> {
  /** Returns the name by which the model knows an item. */
  readonly nameOf: (item: Item) => string;
  readonly isFolder: (item: Item) => boolean;
  /** Returns the row of an item, whose type is an index into {@link entryTypes}. */
  readonly rowOf: (item: Item) => ListingRow;
}

function rowsOf<Item>(items: readonly Item[], { nameOf, rowOf }: RowSource<Item>): ListingRow[] {
  return Array.from(naturalOrder(items.map(nameOf)), (index) => items[index])
    .filter((item) => item !== undefined)
    .map(rowOf);
}

/** Lists `items` in `model`, which expects them in natural order of names, folders first. */
export function listRows<Item>(
  model: ListingModel,
  items: readonly Item[],
  source: RowSource<Item>,
  folder: Pick<ListingHeader, 'path' | 'name' | 'modified'> = { path: rootPath, name: '', modified: '' },
): void {
  const folders = rowsOf(items.filter(source.isFolder), source);
  const files = rowsOf(
    items.filter((item) => !source.isFolder(item)),
    source,
  );
  model.open({
    path: folder.path,
    name: folder.name,
    modified: folder.modified,
    numDirs: folders.length,
    numFiles: files.length,
    sorting: { by: 'name', asc: false },
    types: entryTypes,
  });
  model.append([...folders, ...files]);
  model.end();
}
