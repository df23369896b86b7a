import {
  nameOf,
  parentOf,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql } from 'kysely';
import type { NameKey, PlacePath } from '../trash-repository.ts';
import type { Tables } from '../schema.ts';
import { rowsOf } from './kept/json-rows.ts';

/** The parent of the folders in the served root, which has no row. */
export const rootPlace = 0;

/** Returns the path of `name` in `folder`, which may be longer than paths of requests. */
export const below = (folder: VirtualPath, name: string): VirtualPath =>
  (folder === rootPath ? `/${name}` : `${folder}/${name}`) as VirtualPath;

/** Maximum number of values of one query. */
const maxValues = 500;

/** Returns `values` in pieces that fit into one query. */
export function inPieces<T>(values: readonly T[]): T[][] {
  const pieces: T[][] = [];
  for (let first = 0; first < values.length; first += maxValues) {
    pieces.push(values.slice(first, first + maxValues));
  }
  return pieces;
}

/**
 * The folders in which deleted entries were, marked entries and the folders above them, as rows with parent and name: renaming
 * a folder is a change of one row. A deleted folder, and a deleted file that is marked, is detached from its parent and belongs
 * to its entry.
 */
export class PlaceTree {
  readonly #database: Kysely<Tables>;
  readonly #root: number;

  /** @param root the parent of the folders in the served root */
  constructor(database: Kysely<Tables>, root = rootPlace) {
    this.#database = database;
    this.#root = root;
  }

  async #child(parent: number, key: string): Promise<number | null> {
    const row = await this.#database
      .selectFrom('places')
      .select('id')
      .where('parent', '=', parent)
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** Returns the place of a folder; null when there is none. */
  async find(path: VirtualPath, keyOf: NameKey): Promise<number | null> {
    let place: number | null = this.#root;
    for (const name of segmentsOf(path)) {
      place = await this.#child(place, keyOf(name));
      if (place === null) return null;
    }
    return place;
  }

  /** Returns the place of a folder, which is created with its parents when there is none. */
  async ensure(path: VirtualPath, keyOf: NameKey): Promise<number> {
    let parent = this.#root;
    for (const name of segmentsOf(path)) {
      const key = keyOf(name);
      const known = await this.#child(parent, key);
      if (known !== null) {
        parent = known;
        continue;
      }
      const { id } = await this.#database
        .insertInto('places')
        .values({ parent, name, key, kept_id: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      parent = id;
    }
    return parent;
  }

  /** Returns the places of folders, which are created with their parents when there are none: two statements per level. */
  async ensureAll(paths: Iterable<VirtualPath>, keyOf: NameKey): Promise<ReadonlyMap<VirtualPath, number>> {
    const places = new Map<VirtualPath, number>([[rootPath, this.#root]]);
    const levels: Set<VirtualPath>[] = [];
    for (const path of new Set(paths)) {
      for (let folder = path; folder !== rootPath; folder = parentOf(folder)) {
        const level = (levels[segmentsOf(folder).length] ??= new Set());
        if (level.has(folder)) break;
        level.add(folder);
      }
    }
    for (const level of levels) if (level !== undefined) await this.#ensureLevel(level, places, keyOf);
    return places;
  }

  /** Adds the places of folders whose parents are in `places`. */
  async #ensureLevel(
    paths: Iterable<VirtualPath>,
    places: Map<VirtualPath, number>,
    keyOf: NameKey,
  ): Promise<void> {
    const folders = [...paths].map((path) => {
      const parent = places.get(parentOf(path));
      if (parent === undefined) throw new Error('a folder has no place');
      return { path, parent, name: nameOf(path), key: keyOf(nameOf(path)) };
    });
    const idOf = new Map<string, number>();
    const add = (rows: readonly { id: number; parent: number; key: string }[]): void => {
      for (const { id, parent, key } of rows) idOf.set(`${parent}/${key}`, id);
    };
    const given = JSON.stringify(folders.map(({ parent, key }) => [parent, key]));
    const existing = await sql<{ id: number; parent: number; key: string }>`
      select places.id, places.parent, places.key from json_each(${given}) as given
      join places on places.parent = given.value ->> 0 and places.key = given.value ->> 1`.execute(
      this.#database,
    );
    add(existing.rows);
    const missing = new Map<string, unknown[]>();
    for (const { parent, name, key } of folders) {
      const id = `${parent}/${key}`;
      if (!idOf.has(id) && !missing.has(id)) missing.set(id, [parent, name, key]);
    }
    if (missing.size > 0) {
      const created = await sql<{ id: number; parent: number; key: string }>`
        insert into places ${rowsOf(['parent', 'name', 'key'], [...missing.values()])}
        returning id, parent, key`.execute(this.#database);
      add(created.rows);
    }
    for (const { path, parent, key } of folders) {
      const id = idOf.get(`${parent}/${key}`);
      if (id !== undefined) places.set(path, id);
    }
  }

  /** Makes `place` a child of `parent`. Its content is merged into an existing child of this name. */
  async attach(place: number, parent: number, name: string, key: string): Promise<void> {
    const existing = await this.#child(parent, key);
    if (existing !== null && existing !== place) return this.merge(place, existing);
    await this.#database
      .updateTable('places')
      .set({ parent, name, key, kept_id: null, gone_at: null })
      .where('id', '=', place)
      .execute();
  }

  /** Moves the content of `from` into another folder, and removes `from`. */
  async merge(from: number, into: number): Promise<void> {
    const children = await this.#database
      .selectFrom('places')
      .select(['id', 'name', 'key'])
      .where('parent', '=', from)
      .execute();
    for (const child of children) await this.attach(child.id, into, child.name, child.key);
    await this.#database.updateTable('kept').set({ place: into }).where('place', '=', from).execute();
    const steps = this.#database.updateTable('operation_steps');
    await steps.set({ place: into }).where('place', '=', from).execute();
    await steps.set({ from_place: into }).where('from_place', '=', from).execute();
    await this.#mergeMarks(from, into);
    await this.#database.deleteFrom('places').where('id', '=', from).execute();
  }

  /** Moves the marks of an entry to another one. Marks that it has as well are dropped with the former place. */
  async #mergeMarks(from: number, into: number): Promise<void> {
    await sql`update or ignore marks set place = ${into} where place = ${from}`.execute(this.#database);
    await this.#database.deleteFrom('marks').where('place', '=', from).execute();
    // The moved entry is the one that exists now.
    await sql`update places set is_folder = other.is_folder, device = other.device, inode = other.inode,
      born_ns = other.born_ns, gone_at = null
      from (select is_folder, device, inode, born_ns from places where id = ${from}) as other
      where places.id = ${into} and other.is_folder is not null`.execute(this.#database);
  }

  /**
   * Detaches the place of an entry in the folder `parent`, if it has one. It belongs to the deleted entry `keptId` from then on. The
   * place of a file that contains others is that of a former folder, and stays.
   */
  async detach(
    parent: number,
    key: string,
    { keptId, isFolder }: { readonly keptId: string; readonly isFolder: boolean },
  ): Promise<void> {
    let query = this.#database
      .updateTable('places')
      .set({ parent: null, kept_id: keptId })
      .where('parent', '=', parent)
      .where('key', '=', key);
    if (!isFolder) {
      query = query.where(({ exists, not, selectFrom }) =>
        not(
          exists(selectFrom('places as inner').select('inner.id').whereRef('inner.parent', '=', 'places.id')),
        ),
      );
    }
    await query.execute();
  }

  /** Returns a place and all folders above it. */
  async placesAbove(place: number): Promise<ReadonlySet<number>> {
    const above = new Set<number>();
    for (let next: number | null = place; next !== null && next !== rootPlace && !above.has(next);) {
      above.add(next);
      const row: { parent: number | null } | undefined = await this.#database
        .selectFrom('places')
        .select('parent')
        .where('id', '=', next)
        .executeTakeFirst();
      next = row?.parent ?? null;
    }
    return above;
  }

  /** Removes the marks of the deleted entries `keptIds` and of everything in them. */
  async removeMarksOf(keptIds: readonly string[]): Promise<void> {
    await sql`delete from marks where place in (
      with recursive below(id) as (
        select id from places where kept_id in (${sql.join(keptIds)})
        union all select places.id from places join below on places.parent = below.id
      ) select id from below)`.execute(this.#database);
  }

  /** Returns the place that belongs to the deleted entry `keptId`; null when there is none. */
  async detachedOf(keptId: string): Promise<number | null> {
    const row = await this.#database
      .selectFrom('places')
      .select('id')
      .where('kept_id', '=', keptId)
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** Returns the current paths of places, and adds them to `paths`, which contains those that are known. */
  async pathsOf(
    places: readonly number[],
    paths = new Map<number, PlacePath>(),
  ): Promise<ReadonlyMap<number, PlacePath>> {
    const rows = new Map<
      number,
      { parent: number | null; name: string; keptId: string | null; above: number | null }
    >();
    paths.set(rootPlace, { path: rootPath, keptId: null });
    let wanted = [...new Set(places)].filter((place) => !paths.has(place));
    while (wanted.length > 0) {
      const next = new Set<number>();
      for (const piece of inPieces(wanted)) {
        const found = await this.#database
          .selectFrom('places')
          .leftJoin('kept', 'kept.id', 'places.kept_id')
          .select(['places.id', 'places.parent', 'places.name', 'places.kept_id', 'kept.place as above'])
          .where('places.id', 'in', piece)
          .execute();
        for (const { id, parent, name, kept_id, above } of found) {
          rows.set(id, { parent, name, keptId: kept_id, above });
          const upper = parent ?? above;
          if (upper !== null && !paths.has(upper)) next.add(upper);
        }
      }
      wanted = [...next].filter((place) => !rows.has(place));
    }
    const pathOf = (place: number): PlacePath => {
      const known = paths.get(place);
      if (known !== undefined) return known;
      const row = rows.get(place);
      // A place of a row that no longer exists is at the top.
      if (row === undefined) return { path: rootPath, keptId: null };
      const above = pathOf(row.parent ?? row.above ?? rootPlace);
      const found = { path: below(above.path, row.name), keptId: row.keptId ?? above.keptId };
      paths.set(place, found);
      return found;
    };
    for (const place of places) pathOf(place);
    return paths;
  }
}
