import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely';
import type { NameKey } from '../trash-repository.ts';
import type { StoredVersion, VersionRepository } from '../version-repository.ts';
import type { KeptRow, Tables } from '../schema.ts';
import { inPieces, PlaceTree } from './place-tree.ts';
import { withPlaces } from './kept/kept-rows.ts';
import { actOfCreation, endOfPage, isAfter, lastChangeOf, versionAgeOf } from './versioned-files.ts';

/** Adds the current places and the properties of versions to rows. */
async function versionsOf(
  database: Kysely<Tables>,
  rows: readonly Selectable<KeptRow>[],
): Promise<StoredVersion[]> {
  const entries = await withPlaces(database, rows);
  return rows.flatMap((row, index) => {
    const entry = entries[index];
    if (entry === undefined) return [];
    const written =
      row.written_act === null || row.written_at === null
        ? null
        : { userId: row.written_by, act: row.written_act, time: row.written_at };
    return {
      ownerId: row.owner_id === '' ? null : row.owner_id,
      label: row.label,
      keepsForever: row.keep_forever === 1,
      written,
      ...entry,
    };
  });
}

/** Maximum number of logged changes of one file that are read. */
const maxLoggedStates = 2_000;

/** Selects unchanged versions. A literal, so that the partial index is used. */
const isUnchanged = sql<SqlBool>`unchanged <> 0`;

/** Creates the repository of former states in `database`. */
export function openVersionRepository(database: Kysely<Tables>): VersionRepository {
  const versions = () =>
    database.selectFrom('kept').where('name_key', 'is not', null).where('purge_at', 'is', null);

  /** Selects the versions of the file at `path`; null when none can exist. */
  const ofFile = async (path: VirtualPath, keyOf: NameKey, since = 0) => {
    const place = await new PlaceTree(database).find(parentOf(path), keyOf);
    if (place === null) return null;
    return versions()
      .where('name_key', '=', keyOf(nameOf(path)))
      .where('place', '=', place)
      .where('owner_id', '=', '')
      .where('kept_at', '>=', since);
  };

  return {
    async list(path, keyOf, { after, since, limit }) {
      let query = await ofFile(path, keyOf, since);
      if (query === null) return [];
      if (after !== undefined)
        query = query.where(sql<SqlBool>`(kept_at, id) < (${after.keptAt}, ${after.id})`);
      const rows = await query
        .selectAll()
        .orderBy('kept_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return versionsOf(database, rows);
    },
    async count(path, keyOf, since) {
      const query = await ofFile(path, keyOf, since);
      if (query === null) return 0;
      const row = await query
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async lastChange(path, keyOf) {
      const place = await new PlaceTree(database).find(parentOf(path), keyOf);
      return place === null ? null : lastChangeOf(database, place, keyOf(nameOf(path)));
    },
    async loggedStates(path, keyOf) {
      const place = await new PlaceTree(database).find(parentOf(path), keyOf);
      if (place === null) return [];
      const rows = await database
        .selectFrom('operation_steps')
        .innerJoin('operations', 'operations.id', 'operation_steps.operation')
        .select(['operations.started_at', 'operations.user_id', 'operations.kind'])
        .select(['operation_steps.act', 'operation_steps.size', 'operation_steps.modified_ns'])
        .where('operation_steps.place', '=', place)
        .where('operation_steps.name', '=', nameOf(path))
        .orderBy('operation_steps.id', 'desc')
        .limit(maxLoggedStates)
        .execute();
      return rows.flatMap(
        ({ started_at: time, user_id: userId, kind, act, size, modified_ns: modifiedNs }) => {
          if (size === null || modifiedNs === null) return [];
          const createdBy = act === 'created' ? { userId, act: actOfCreation(kind), time } : null;
          return [{ time, size, modifiedNs, createdBy }];
        },
      );
    },
    async find(id) {
      const row = await versions().selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : ((await versionsOf(database, [row]))[0] ?? null);
    },
    async findAll(ids) {
      const found: StoredVersion[] = [];
      for (const piece of inPieces(ids)) {
        const rows = await database
          .selectFrom('kept')
          .selectAll()
          .where('name_key', 'is not', null)
          .where('id', 'in', piece)
          .execute();
        found.push(...(await versionsOf(database, rows)));
      }
      return found;
    },
    async update(id, { label, keepsForever }) {
      const { numUpdatedRows } = await database
        .updateTable('kept')
        .set({
          ...(label === undefined ? {} : { label }),
          ...(keepsForever === undefined ? {} : { keep_forever: keepsForever ? 1 : 0 }),
        })
        .where('id', '=', id)
        .where('name_key', 'is not', null)
        .where('purge_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async remove(id) {
      await database.deleteFrom('kept').where('id', '=', id).where('name_key', 'is not', null).execute();
    },
    async hideBelow(path, keyOf, purgeAt) {
      const tree = new PlaceTree(database);
      const parent = await tree.find(parentOf(path), keyOf);
      if (parent === null) return 0;
      const folder = (await tree.find(path, keyOf)) ?? -1;
      const { numUpdatedRows } = await database
        .updateTable('kept')
        .set({ purge_at: purgeAt })
        .where('name_key', 'is not', null)
        .where('owner_id', '=', '')
        .where('purge_at', 'is', null)
        .where((where) =>
          where.or([
            where.and([where('place', '=', parent), where('name_key', '=', keyOf(nameOf(path)))]),
            sql<SqlBool>`place in (
              with recursive below(id) as (
                select ${folder} union all select places.id from places join below on places.parent = below.id
              ) select id from below)`,
          ]),
        )
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    async byFile(after, limit) {
      let query = versions();
      if (after !== null) query = query.where(isAfter(after));
      const rows = await query
        .select(['id', 'place', 'name_key', 'owner_id', 'kept_at', 'modified_ns', 'written_at'])
        .select(['label', 'keep_forever'])
        .where('unchanged', '=', 0)
        .orderBy('place')
        .orderBy('name_key')
        .orderBy('owner_id')
        .orderBy('kept_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return { versions: rows.map(versionAgeOf), last: endOfPage(rows) };
    },
    async setUnchanged(id) {
      const { numUpdatedRows } = await database
        .updateTable('kept')
        .set({ unchanged: 1 })
        .where('id', '=', id)
        .where('name_key', 'is not', null)
        .where('purge_at', 'is', null)
        .where('label', 'is', null)
        .where('keep_forever', '=', 0)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async removeBytes(id) {
      await database.updateTable('kept').set({ unchanged: 2, size: 0 }).where('id', '=', id).execute();
    },
    async unchangedWithBytes() {
      const rows = await database
        .selectFrom('kept')
        .select('id')
        .where(isUnchanged)
        .where('unchanged', '=', 1)
        .execute();
      return rows.map(({ id }) => id);
    },
    async removeUnchanged(before) {
      await database
        .deleteFrom('kept')
        .where(isUnchanged)
        .where('unchanged', '=', 2)
        .where('kept_at', '<', before)
        .execute();
    },
    async total() {
      const { count } = await versions()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
