import {
  isAtOrBelow,
  joinPaths,
  nameOf,
  parentOf,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql, type SqlBool, type Transaction } from 'kysely';
import type { KeptFilter, ListedKept, NameKey, PlacedKept, TrashRepository } from '../trash-repository.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import type { Tables } from '../schema.ts';
import { addEntries } from './kept/add-entries.ts';
import { hasOwner, isDeletion, placed } from './kept-rows.ts';
import { below, inPieces, PlaceTree, rootPlace } from './place-tree.ts';
import { openPurgeSchedule } from './purge-schedule.ts';
import { moveVersions, selectVersions } from './versioned-files.ts';

/** Removes entries. The places of deleted folders and the versions of deleted files belong to their original paths again. */
async function removeEntries(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  const tree = new PlaceTree(transaction);
  for (const piece of inPieces(ids)) {
    await tree.removeMarksOf(piece);
    const owners = await transaction
      .selectFrom('kept')
      .innerJoin('places', 'places.kept_id', 'kept.id')
      .select(['kept.place as parent', 'places.id', 'places.name', 'places.key'])
      .where('kept.id', 'in', piece)
      .execute();
    for (const { id, parent, name, key } of owners) await tree.attach(id, parent, name, key);
    await transaction
      .updateTable('kept')
      .set({ owner_id: '' })
      .where(hasOwner)
      .where('owner_id', 'in', piece)
      .where('purge_at', 'is', null)
      .execute();
    await transaction.deleteFrom('kept').where('id', 'in', piece).execute();
    await transaction.deleteFrom('shares').where('kept_id', 'in', piece).execute();
  }
}

/** Detaches the places of marked entries, and of the folders above them, that are in the trash without having a place there. */
async function detachMarked(transaction: Kysely<Tables>): Promise<void> {
  const tree = new PlaceTree(transaction);
  const { rows } = await sql<{ id: number }>`
    with recursive above(id, parent) as (
      select id, parent from places where id in (select place from marks)
      union select places.id, places.parent from places join above on places.id = above.parent
    ) select id from above where parent is not null`.execute(transaction);
  // Folders come before what they contain.
  for (const { id } of rows.toReversed()) {
    const deleted = await transaction
      .selectFrom('places')
      .innerJoin('kept', (join) =>
        join.onRef('kept.place', '=', 'places.parent').onRef('kept.name', '=', 'places.name'),
      )
      .select(['kept.id', 'kept.kind', 'places.key', 'places.parent'])
      .where('places.id', '=', id)
      .where(isDeletion)
      .orderBy('kept.kept_at', 'desc')
      .orderBy('kept.id', 'desc')
      .executeTakeFirst();
    if (deleted === undefined || deleted.parent === null) continue;
    const { parent, key } = deleted;
    const own = await tree.detachedOf(deleted.id);
    if (own === null)
      await tree.detach(parent, key, { keptId: deleted.id, isFolder: deleted.kind === 'folder' });
    else await tree.merge(id, own);
  }
}

/** The page cache of the database, as SQLite sets it, and while a whole history is read (KiB). */
const usualCacheKiB = 2_000;
const largeCacheKiB = 128 * 1024;

/** Runs `work`, which adds many entries, in one transaction. */
const inBulk = <T>(database: Kysely<Tables>, work: (transaction: Transaction<Tables>) => Promise<T>) =>
  inTransaction(database, async (transaction) => {
    // The ids are random: with a small cache, each new entry writes a page of their index to the disk.
    await sql`pragma cache_size = ${sql.lit(-largeCacheKiB)}`.execute(transaction);
    try {
      return await work(transaction);
    } finally {
      await sql`pragma cache_size = ${sql.lit(-usualCacheKiB)}`.execute(transaction);
    }
  });

/** The root of the tree of {@link TrashRepository.inOwnTree}. */
const ownRoot = -1;

/**
 * Creates the repository of deleted entries in `database`.
 * @param root the place of the served root
 */
export function openTrashRepository(database: Kysely<Tables>, root = rootPlace): TrashRepository {
  const treeOf = (transaction: Kysely<Tables>): PlaceTree => new PlaceTree(transaction, root);
  const visible = ({ userId, since }: Pick<KeptFilter, 'userId' | 'since'>) => {
    let query = database.selectFrom('kept').where(isDeletion).where('purge_at', 'is', null);
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    if (since !== undefined && since > 0) query = query.where('kept_at', '>=', since);
    return query;
  };

  return {
    add: (entries, keyOf: NameKey) =>
      inTransaction(database, (transaction) => addEntries(transaction, treeOf(transaction), entries, keyOf)),
    async find(id) {
      const row = await database
        .selectFrom('kept')
        .selectAll()
        .where('id', '=', id)
        .where(isDeletion)
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
    async list({ after, limit, ...filter }, knownPaths) {
      let query = visible(filter)
        .select(['id', 'place', 'name', 'kind', 'size', 'modified_ns', 'kept_at', 'user_id'])
        .orderBy('kept_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after !== undefined) {
        query = query.where(sql<SqlBool>`(kept_at, id) < (${after.keptAt}, ${after.id})`);
      }
      const rows = await query.execute();
      const places = await new PlaceTree(database).pathsOf(
        rows.map(({ place }) => place),
        knownPaths,
      );
      return rows.map(({ id, place, name, kind, size, modified_ns, kept_at, user_id }) => {
        const folder = places.get(place);
        if (folder === undefined) throw new Error('the place of a deleted entry is unknown');
        return {
          id,
          kind: kind as ListedKept['kind'],
          size,
          modifiedNs: modified_ns,
          keptAt: kept_at,
          act: 'delete',
          userId: user_id,
          place: below(folder.path, name),
          parentId: folder.keptId,
        };
      });
    },
    async count(filter) {
      const { count } = await visible(filter)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async hasPlacesAt(path, keyOf) {
      const tree = treeOf(database);
      const above = await tree.find(parentOf(path), keyOf);
      if (above === null) return false;
      if ((await tree.find(path, keyOf)) !== null) return true;
      const file = { place: above, key: keyOf(nameOf(path)) };
      return (await selectVersions(database, file).executeTakeFirst()) !== undefined;
    },
    movePlaces: (from, to, keyOf, recorded) =>
      inTransaction(database, async (transaction) => {
        for (const store of recorded?.stores ?? []) {
          await transaction
            .insertInto('ledgers')
            .values({ store, position: '', move_number: recorded?.number ?? 0 })
            .onConflict((conflict) =>
              conflict.column('store').doUpdateSet({ move_number: recorded?.number ?? 0 }),
            )
            .execute();
        }
        const tree = treeOf(transaction);
        const above = await tree.find(parentOf(from), keyOf);
        if (above === null) return;
        const name = nameOf(to);
        const key = keyOf(nameOf(from));
        const place = await tree.find(from, keyOf);
        const hasVersions = await selectVersions(transaction, { place: above, key }).executeTakeFirst();
        if (place === null && hasVersions === undefined) return;
        const parent = await tree.ensure(parentOf(to), keyOf);
        if (place !== null) await tree.attach(place, parent, name, keyOf(name));
        await moveVersions(
          transaction,
          { place: above, key },
          { place: parent, name, name_key: keyOf(name) },
        );
      }),
    async lastMove(store) {
      let query = database
        .selectFrom('ledgers')
        .select((select) => select.fn.max<number | null>('move_number').as('last'));
      if (store !== undefined) query = query.where('store', '=', store);
      return (await query.executeTakeFirstOrThrow()).last ?? 0;
    },
    async annotate(id, { label, keepsForever }) {
      await database
        .updateTable('kept')
        .set({ label, keep_forever: keepsForever ? 1 : 0 })
        .where('id', '=', id)
        .where('name_key', 'is not', null)
        .execute();
    },
    moveStores: (from, to) =>
      inTransaction(database, async (transaction) => {
        const known = await transaction.selectFrom('ledgers').select('store').execute();
        for (const store of new Set([from, ...known.map((row) => row.store as VirtualPath)])) {
          if (!isAtOrBelow(store, from)) continue;
          const moved = joinPaths(to, relativeTo(store, from));
          await transaction.updateTable('kept').set({ store: moved }).where('store', '=', store).execute();
          await transaction.deleteFrom('ledgers').where('store', '=', moved).execute();
          await transaction.updateTable('ledgers').set({ store: moved }).where('store', '=', store).execute();
        }
      }),
    async hasEntriesOf(store) {
      const row = await database
        .selectFrom('kept')
        .select('id')
        .where('store', '=', store)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    inOwnTree: (work) =>
      inBulk(database, async (transaction) => {
        const result = await work(openTrashRepository(transaction, ownRoot));
        await new PlaceTree(transaction).merge(ownRoot, rootPlace);
        await detachMarked(transaction);
        return result;
      }),
    inBulk: (work) => inBulk(database, (transaction) => work(openTrashRepository(transaction, root))),
    restored: (id, to, keyOf) =>
      inTransaction(database, async (transaction) => {
        const tree = treeOf(transaction);
        const place = await tree.detachedOf(id);
        const owned = await transaction
          .selectFrom('kept')
          .select('id')
          .where(hasOwner)
          .where('owner_id', '=', id)
          .executeTakeFirst();
        if (place !== null || owned !== undefined) {
          const parent = await tree.ensure(parentOf(to), keyOf);
          const name = nameOf(to);
          if (place !== null) await tree.attach(place, parent, name, keyOf(name));
          await transaction
            .updateTable('kept')
            .set({ owner_id: '', place: parent, name, name_key: keyOf(name) })
            .where(hasOwner)
            .where('owner_id', '=', id)
            .execute();
        }
        await transaction.deleteFrom('kept').where('id', '=', id).execute();
      }),
    remove: (ids) => inTransaction(database, (transaction) => removeEntries(transaction, ids)),
    async withBytes(ids) {
      const unchanged = new Set<string>();
      for (const piece of inPieces(ids)) {
        const rows = await database
          .selectFrom('kept')
          .select('id')
          .where('id', 'in', piece)
          .where('unchanged', '<>', 0)
          .execute();
        for (const { id } of rows) unchanged.add(id);
      }
      return ids.filter((id) => !unchanged.has(id));
    },
    ...openPurgeSchedule(database),
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
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('operation_steps')
                  .select('operation_steps.id')
                  .where((step) =>
                    step.or([
                      step('operation_steps.place', '=', step.ref('places.id')),
                      step('operation_steps.from_place', '=', step.ref('places.id')),
                    ]),
                  ),
              ),
            ),
          )
          .where((where) =>
            where.not(
              where.exists(
                where.selectFrom('marks').select('marks.id').whereRef('marks.place', '=', 'places.id'),
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
      return row === undefined || row.position === '' ? undefined : row.position;
    },
    async setLedgerPosition(store, position, lastMove) {
      await database
        .insertInto('ledgers')
        .values({ store, position, move_number: lastMove })
        .onConflict((conflict) => conflict.column('store').doUpdateSet({ position, move_number: lastMove }))
        .execute();
    },
    clear: () =>
      inTransaction(database, async (transaction) => {
        // Marks of deleted entries are kept: the entries are detached again when they are added.
        const tree = new PlaceTree(transaction);
        const nextDeleted = () =>
          transaction
            .selectFrom('places')
            .innerJoin('kept', 'kept.id', 'places.kept_id')
            .select(['places.id', 'places.name', 'places.key', 'kept.place'])
            .limit(1)
            .executeTakeFirst();
        // One at a time: attaching one may change the place of another.
        for (let next = await nextDeleted(); next !== undefined; next = await nextDeleted())
          await tree.attach(next.id, next.place, next.name, next.key);
        await transaction.deleteFrom('kept').execute();
        // The log refers to places and entries, which get new rows.
        await transaction.deleteFrom('operation_steps').execute();
        await transaction.deleteFrom('operations').execute();
        await sql`delete from places where id not in (
          with recursive needed(id) as (
            select place from marks
            union select places.parent from places join needed on needed.id = places.id
              where places.parent is not null
          ) select id from needed)`.execute(transaction);
        await transaction.deleteFrom('ledgers').execute();
      }),
  };
}
