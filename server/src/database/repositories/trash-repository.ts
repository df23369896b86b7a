import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely';
import type { KeptFilter, NameKey, PlacedKept, StoredKept, TrashRepository } from '../trash-repository.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import type { KeptRow, Tables } from '../schema.ts';
import { below, inPieces, PlaceTree } from './place-tree.ts';

const storedOf = (row: Selectable<KeptRow>): StoredKept => ({
  id: row.id,
  // Only parsed paths are stored.
  store: row.store as VirtualPath,
  folder: row.folder,
  storedName: row.stored_name,
  originalPath: row.original_path as VirtualPath,
  kind: row.kind as StoredKept['kind'],
  size: row.size,
  modifiedNs: row.modified_ns,
  keptAt: row.kept_at,
  operation: row.operation,
  act: row.act,
  userId: row.user_id,
  session: row.session,
});

const rowOf = (entry: StoredKept, place: number): KeptRow => ({
  id: entry.id,
  place,
  name: nameOf(entry.originalPath),
  store: entry.store,
  folder: entry.folder,
  stored_name: entry.storedName,
  original_path: entry.originalPath,
  kind: entry.kind,
  size: entry.size,
  modified_ns: entry.modifiedNs,
  kept_at: entry.keptAt,
  operation: entry.operation,
  act: entry.act,
  user_id: entry.userId,
  session: entry.session,
  purge_at: null,
  purged_by: null,
});

/** Adds the present places to rows. */
async function placed(database: Kysely<Tables>, rows: readonly Selectable<KeptRow>[]): Promise<PlacedKept[]> {
  const places = await new PlaceTree(database).pathsOf(rows.map(({ place }) => place));
  return rows.map((row) => {
    const folder = places.get(row.place);
    if (folder === undefined) throw new Error('the place of a deleted entry is unknown');
    return {
      ...storedOf(row),
      place: below(folder.path, row.name),
      parentId: folder.keptId,
      purgeAt: row.purge_at,
      purgedBy: row.purged_by,
    };
  });
}

/** Removes entries; the places of deleted folders are at their path again. */
async function removeEntries(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  const tree = new PlaceTree(transaction);
  for (const piece of inPieces(ids)) {
    const owners = await transaction
      .selectFrom('kept')
      .innerJoin('places', 'places.kept_id', 'kept.id')
      .select(['kept.place as parent', 'places.id', 'places.name', 'places.key'])
      .where('kept.id', 'in', piece)
      .execute();
    for (const { id, parent, name, key } of owners) await tree.attach(id, parent, name, key);
    await transaction.deleteFrom('kept').where('id', 'in', piece).execute();
    await transaction.deleteFrom('shares').where('kept_id', 'in', piece).execute();
  }
}

/** Creates the repository of deleted entries in `database`. */
export function openTrashRepository(database: Kysely<Tables>): TrashRepository {
  const visible = ({ userId, since }: Pick<KeptFilter, 'userId' | 'since'>) => {
    let query = database.selectFrom('kept').where('purge_at', 'is', null);
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    if (since !== undefined && since > 0) query = query.where('kept_at', '>=', since);
    return query;
  };
  const removeIn = (ids: readonly string[]): Promise<void> =>
    inTransaction(database, (transaction) => removeEntries(transaction, ids));

  return {
    add: (entries, keyOf: NameKey) =>
      inTransaction(database, async (transaction) => {
        const tree = new PlaceTree(transaction);
        for (const entry of entries) {
          const place = await tree.ensure(parentOf(entry.originalPath), keyOf);
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto('kept')
            .values(rowOf(entry, place))
            .onConflict((conflict) => conflict.column('id').doNothing())
            .executeTakeFirstOrThrow();
          if (numInsertedOrUpdatedRows !== 0n && entry.kind === 'folder') {
            await tree.detach(entry.originalPath, keyOf, entry.id);
          }
        }
      }),
    async find(id) {
      const row = await database
        .selectFrom('kept')
        .selectAll()
        .where('id', '=', id)
        .where('purge_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? null : ((await placed(database, [row]))[0] ?? null);
    },
    async findAll(ids) {
      const found: PlacedKept[] = [];
      for (const piece of inPieces(ids)) {
        const rows = await database.selectFrom('kept').selectAll().where('id', 'in', piece).execute();
        found.push(...(await placed(database, rows)));
      }
      return found;
    },
    async list({ after, limit, ...filter }) {
      let query = visible(filter).selectAll().orderBy('kept_at', 'desc').orderBy('id', 'desc').limit(limit);
      if (after !== undefined) {
        query = query.where(sql<SqlBool>`(kept_at, id) < (${after.keptAt}, ${after.id})`);
      }
      return placed(database, await query.execute());
    },
    async count(filter) {
      const { count } = await visible(filter)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    movePlaces: (from, to, keyOf) =>
      inTransaction(database, async (transaction) => {
        const tree = new PlaceTree(transaction);
        const place = await tree.find(from, keyOf);
        if (place === null) return;
        const parent = await tree.ensure(parentOf(to), keyOf);
        await tree.attach(place, parent, nameOf(to), keyOf(nameOf(to)));
      }),
    restored: (id, to, keyOf) =>
      inTransaction(database, async (transaction) => {
        const tree = new PlaceTree(transaction);
        const place = await tree.detachedOf(id);
        if (place !== null) {
          const parent = await tree.ensure(parentOf(to), keyOf);
          await tree.attach(place, parent, nameOf(to), keyOf(nameOf(to)));
        }
        await transaction.deleteFrom('kept').where('id', '=', id).execute();
      }),
    remove: removeIn,
    hide: (ids, purgeAt, userId) =>
      inTransaction(database, async (transaction) => {
        const hidden: string[] = [];
        for (const piece of inPieces(ids)) {
          const rows = await transaction
            .updateTable('kept')
            .set({ purge_at: purgeAt, purged_by: userId })
            .where('id', 'in', piece)
            .where('purge_at', 'is', null)
            .returning('id')
            .execute();
          hidden.push(...rows.map(({ id }) => id));
        }
        return hidden;
      }),
    unhide: (ids, userId, now) =>
      inTransaction(database, async (transaction) => {
        const shown: string[] = [];
        for (const piece of inPieces(ids)) {
          const rows = await transaction
            .updateTable('kept')
            .set({ purge_at: null, purged_by: null })
            .where('id', 'in', piece)
            .where('purged_by', '=', userId)
            .where('purge_at', '>', now)
            .returning('id')
            .execute();
          shown.push(...rows.map(({ id }) => id));
        }
        return shown;
      }),
    async due(now, limit) {
      const rows = await database
        .selectFrom('kept')
        .selectAll()
        .where('purge_at', '<=', now)
        .orderBy('purge_at')
        .limit(limit)
        .execute();
      return placed(database, rows);
    },
    async nextDue() {
      const { next } = await database
        .selectFrom('kept')
        .select((select) => select.fn.min<number | null>('purge_at').as('next'))
        .executeTakeFirstOrThrow();
      return next;
    },
    async postpone(ids, purgeAt) {
      for (const piece of inPieces(ids)) {
        await database
          .updateTable('kept')
          .set({ purge_at: purgeAt })
          .where('id', 'in', piece)
          .where('purge_at', 'is not', null)
          .execute();
      }
    },
    async bytesByStore() {
      const rows = await database
        .selectFrom('kept')
        .select((select) => ['store', select.fn.sum<number | null>('size').as('bytes')])
        .groupBy('store')
        .execute();
      return new Map(rows.map(({ store, bytes }) => [store as VirtualPath, Number(bytes ?? 0)]));
    },
    async expired(before, limit) {
      const rows = await visible({})
        .select('id')
        .where('kept_at', '<', before)
        .orderBy('kept_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async summary(before) {
      const row = await visible({})
        .select((select) => [
          select.fn.countAll<number>().as('entries'),
          select.fn.min<number | null>('kept_at').as('oldest'),
          select.fn.sum<number | null>('size').as('bytes'),
          sql<number | null>`sum(case when kept_at < ${before} then 1 else 0 end)`.as('expired'),
        ])
        .executeTakeFirstOrThrow();
      return {
        entries: Number(row.entries),
        expired: Number(row.expired ?? 0),
        bytes: Number(row.bytes ?? 0),
        oldest: row.oldest,
      };
    },
    async setSize(id, bytes) {
      await database.updateTable('kept').set({ size: bytes }).where('id', '=', id).execute();
    },
    async unmeasured(limit) {
      const rows = await visible({})
        .selectAll()
        .where('kind', '=', 'folder')
        .where('size', 'is', null)
        .orderBy('kept_at', 'desc')
        .limit(limit)
        .execute();
      return placed(database, rows);
    },
    async unknown(ids) {
      const known = new Set<string>();
      for (const piece of inPieces(ids)) {
        const rows = await database.selectFrom('kept').select('id').where('id', 'in', piece).execute();
        for (const { id } of rows) known.add(id);
      }
      return ids.filter((id) => !known.has(id));
    },
    prunePlaces: (limit) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .selectFrom('places')
          .select('id')
          .where((where) =>
            where.not(
              where.exists(
                where.selectFrom('kept').select('kept.id').whereRef('kept.place', '=', 'places.id'),
              ),
            ),
          )
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('places as below')
                  .select('below.id')
                  .whereRef('below.parent', '=', 'places.id'),
              ),
            ),
          )
          .limit(limit)
          .execute();
        const ids = rows.map(({ id }) => id);
        for (const piece of inPieces(ids)) {
          await transaction.deleteFrom('places').where('id', 'in', piece).execute();
        }
        return ids.length;
      }),
    async ledgerPosition(store) {
      const row = await database
        .selectFrom('ledgers')
        .select('position')
        .where('store', '=', store)
        .executeTakeFirst();
      return row?.position;
    },
    async setLedgerPosition(store, position) {
      await database
        .insertInto('ledgers')
        .values({ store, position })
        .onConflict((conflict) => conflict.column('store').doUpdateSet({ position }))
        .execute();
    },
    clear: () =>
      inTransaction(database, async (transaction) => {
        await transaction.deleteFrom('kept').execute();
        await transaction.deleteFrom('places').execute();
        await transaction.deleteFrom('ledgers').execute();
      }),
  };
}
