import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql } from 'kysely';
import type { KeptRow, Tables } from '../../schema.ts';
import type { NameKey, StoredKept } from '../../trash-repository.ts';
import type { WrittenBy } from '../../version-repository.ts';
import { isVersion, rowOf } from './kept-rows.ts';
import type { PlaceTree } from '../place-tree.ts';
import { actOfCreation, type FileKey } from '../versioned-files.ts';
import { insertRows } from './insert-rows.ts';

/** The maximum number of entries that one set of statements adds. */
const entriesAtOnce = 1_000;

/** Columns that have their default values in new rows. */
const unsetColumns: ReadonlySet<keyof KeptRow> = new Set([
  'purge_at',
  'purged_by',
  'label',
  'keep_forever',
  'unchanged',
]);

/** An entry with the folder in which it was, and the key of its name. */
interface PlacedEntry {
  readonly entry: StoredKept;
  readonly file: FileKey;
}

/** A former state that was added, as far as later ones of the same file need it. */
interface State {
  readonly id: string;
  readonly by: WrittenBy;
}

const isLater = (a: State, b: State): boolean =>
  a.by.time > b.by.time || (a.by.time === b.by.time && a.id > b.id);

/** Returns the key of a file in a map. */
const mapKeyOf = ({ place, key }: FileKey): string => `${place}/${key}`;

/**
 * Adds deleted entries and former states in their order; see `TrashRepository.add`. Many entries share a few statements, each
 * with one JSON parameter.
 */
export async function addEntries(
  transaction: Kysely<Tables>,
  tree: PlaceTree,
  entries: readonly StoredKept[],
  keyOf: NameKey,
): Promise<void> {
  for (const group of inGroups(entries, keyOf)) {
    const unknown = await withoutKnown(transaction, group);
    if (unknown.length === 0) continue;
    const places = await tree.ensureAll(
      unknown.map(({ originalPath }) => parentOf(originalPath)),
      keyOf,
    );
    const placed = unknown.map((entry): PlacedEntry => {
      const place = places.get(parentOf(entry.originalPath));
      if (place === undefined) throw new Error('a folder of a deleted entry has no place');
      return { entry, file: { place, key: keyOf(nameOf(entry.originalPath)) } };
    });
    await addPlaced(transaction, tree, placed, keyOf);
  }
}

/**
 * Yields the entries in groups of limited size. A deleted entry above another one of its piece is a group of its own, because
 * entries that follow it belong to a new folder of its name.
 */
function* inGroups(entries: readonly StoredKept[], keyOf: NameKey): Generator<StoredKept[]> {
  for (let first = 0; first < entries.length; first += entriesAtOnce) {
    const piece = entries.slice(first, first + entriesAtOnce);
    const folders = foldersOf(piece, keyOf);
    let group: StoredKept[] = [];
    for (const entry of piece) {
      if (isVersion(entry) || !folders.has(pathKey(entry.originalPath, keyOf))) {
        group.push(entry);
        continue;
      }
      if (group.length > 0) yield group;
      yield [entry];
      group = [];
    }
    if (group.length > 0) yield group;
  }
}

const pathKey = (path: VirtualPath, keyOf: NameKey): string => path.split('/').map(keyOf).join('/');

/** Returns the keys of all folders above entries. */
function foldersOf(entries: readonly StoredKept[], keyOf: NameKey): ReadonlySet<string> {
  const known = new Set<VirtualPath>([rootPath]);
  for (const { originalPath } of entries) {
    for (let above = parentOf(originalPath); !known.has(above); above = parentOf(above)) known.add(above);
  }
  return new Set([...known].map((path) => pathKey(path, keyOf)));
}

/** Returns the entries that the index does not contain, each once. */
async function withoutKnown(
  transaction: Kysely<Tables>,
  entries: readonly StoredKept[],
): Promise<StoredKept[]> {
  const byId = new Map<string, StoredKept>();
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry);
  const { rows } = await sql<{
    id: string;
  }>`select kept.id from json_each(${JSON.stringify([...byId.keys()])})
    as given join kept on kept.id = given.value`.execute(transaction);
  for (const { id } of rows) byId.delete(id);
  return [...byId.values()];
}

async function addPlaced(
  transaction: Kysely<Tables>,
  tree: PlaceTree,
  placed: readonly PlacedEntry[],
  keyOf: NameKey,
): Promise<void> {
  const deletions = placed.filter(({ entry }) => !isVersion(entry));
  const latest = await latestStates(
    transaction,
    placed.filter(({ entry }) => isVersion(entry)),
  );
  const creations = await creationsOf(
    transaction,
    placed.filter(({ entry, file }) => !isVersion(entry) || !latest.has(mapKeyOf(file))),
  );
  /** The rows of former states whose file has not been deleted, by file. */
  const living = new Map<string, KeptRow[]>();
  /** The first deletion of each file in this group: it owns the former states that are in the index. */
  const owners = new Map<string, PlacedEntry>();
  const rows = placed.map((one): KeptRow => {
    const { entry, file } = one;
    const key = mapKeyOf(file);
    if (!isVersion(entry)) {
      for (const row of living.get(key) ?? []) row.owner_id = entry.id;
      living.delete(key);
      latest.delete(key);
      if (!owners.has(key)) owners.set(key, one);
      return rowOf(entry, file.place, keyOf, creations.get(entry.id) ?? null);
    }
    const former = latest.get(key);
    const row = rowOf(entry, file.place, keyOf, former?.by ?? creations.get(entry.id) ?? null);
    const state = { id: entry.id, by: { userId: entry.userId, act: entry.act, time: entry.keptAt } };
    if (former === undefined || isLater(state, former)) latest.set(key, state);
    const states = living.get(key);
    if (states === undefined) living.set(key, [row]);
    else states.push(row);
    return row;
  });
  await assignOwners(transaction, [...owners.values()]);
  const columns = (Object.keys(rows[0] ?? {}) as (keyof KeptRow)[]).filter((name) => !unsetColumns.has(name));
  const values = rows.map((row) => columns.map((column) => row[column]));
  await insertRows(transaction, 'kept', columns, values);
  await detachPlaces(transaction, tree, deletions);
}

/** Returns the latest former state of each file in the index whose file exists, by file. */
async function latestStates(
  transaction: Kysely<Tables>,
  placed: readonly PlacedEntry[],
): Promise<Map<string, State>> {
  const files = [...new Map(placed.map(({ file }) => [mapKeyOf(file), file])).values()];
  const found = new Map<string, State>();
  if (files.length === 0) return found;
  const given = JSON.stringify(files.map(({ place, key }) => [place, key]));
  const { rows } = await sql<{
    position: number;
    id: string;
    user_id: number | null;
    act: string;
    kept_at: number;
  }>`select given.key as position, kept.id, kept.user_id, kept.act, kept.kept_at
    from json_each(${given}) as given join kept on kept.id = (
      select former.id from kept as former
      where former.place = given.value ->> 0 and former.name_key = given.value ->> 1 and former.owner_id = ''
      order by former.kept_at desc, former.id desc limit 1)`.execute(transaction);
  for (const { position, id, user_id, act, kept_at } of rows) {
    const file = files[position];
    if (file !== undefined) found.set(mapKeyOf(file), { id, by: { userId: user_id, act, time: kept_at } });
  }
  return found;
}

/** Returns the logged operations that created files as they were when they were deleted or replaced, by the id of the entry. */
async function creationsOf(
  transaction: Kysely<Tables>,
  entries: readonly PlacedEntry[],
): Promise<ReadonlyMap<string, WrittenBy>> {
  const files = entries.filter(({ entry }) => entry.kind === 'file');
  if (files.length === 0) return new Map();
  const given = JSON.stringify(
    files.map(({ entry: { id, originalPath, modifiedNs, size }, file }) => [
      id,
      file.place,
      nameOf(originalPath),
      modifiedNs,
      size,
    ]),
  );
  const { rows } = await sql<{
    id: string;
    user_id: number | null;
    kind: string;
    started_at: number;
  }>`select given.value ->> 0 as id, operations.user_id, operations.kind, operations.started_at
    from json_each(${given}) as given
    join operation_steps as step on step.id = (
      select created.id from operation_steps as created
      where created.place = given.value ->> 1 and created.name = given.value ->> 2 and created.act = 'created'
        and created.modified_ns = given.value ->> 3 and created.size = given.value ->> 4
      order by created.id desc limit 1)
    join operations on operations.id = step.operation`.execute(transaction);
  return new Map(
    rows.map(({ id, user_id, kind, started_at }) => [
      id,
      { userId: user_id, act: actOfCreation(kind), time: started_at },
    ]),
  );
}

/** Makes the former states of deleted files belong to their deletions. */
async function assignOwners(transaction: Kysely<Tables>, deletions: readonly PlacedEntry[]): Promise<void> {
  if (deletions.length === 0) return;
  const given = JSON.stringify(deletions.map(({ entry, file }) => [entry.id, file.place, file.key]));
  await sql`update kept set owner_id = given.value ->> 0 from json_each(${given}) as given
    where kept.place = given.value ->> 1 and kept.name_key = given.value ->> 2 and kept.owner_id = ''`.execute(
    transaction,
  );
}

/** Detaches the places that deleted entries have: those of folders with other entries, and of marked files. */
async function detachPlaces(
  transaction: Kysely<Tables>,
  tree: PlaceTree,
  deletions: readonly PlacedEntry[],
): Promise<void> {
  if (deletions.length === 0) return;
  const given = JSON.stringify(deletions.map(({ file }) => [file.place, file.key]));
  const { rows } = await sql<{
    position: number;
  }>`select given.key as position from json_each(${given}) as given
    join places on places.parent = given.value ->> 0 and places.key = given.value ->> 1`.execute(transaction);
  for (const position of rows.map((row) => row.position).toSorted((a, b) => a - b)) {
    const deletion = deletions[position];
    if (deletion === undefined) continue;
    const { entry, file } = deletion;
    await tree.detach(file.place, file.key, { keptId: entry.id, isFolder: entry.kind === 'folder' });
  }
}
