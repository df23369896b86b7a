import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely';
import type { RemovableVersion, RetentionRepository } from '../retention-repository.ts';
import type { KeptRow, Tables } from '../schema.ts';
import { isDeletion } from './kept/kept-rows.ts';
import { inPieces } from './place-tree.ts';
import { endOfPage, isAfter, type VersionAgeColumns, versionAgeOf } from './versioned-files.ts';

/** A state that its author has replaced within this time is short-lived (milliseconds). */
const shortLifeMs = 24 * 60 * 60 * 1000;

/** The bytes of a deleted entry with the versions that are removed together with it. */
const bytesWithVersions = sql<number>`coalesce(kept.size, 0) + coalesce(
  (select sum(owned.size) from kept as owned where owned.owner_id <> '' and owned.owner_id = kept.id), 0)`;

type RemovableColumns = VersionAgeColumns & Pick<Selectable<KeptRow>, 'user_id' | 'size' | 'written_by'>;

function removableOf(row: RemovableColumns): RemovableVersion {
  const { kept_at: keptAt, written_at, written_by, user_id } = row;
  return {
    ...versionAgeOf(row),
    bytes: row.size ?? 0,
    isMeasured: true,
    isShortLived:
      written_by !== null &&
      written_by === user_id &&
      written_at !== null &&
      keptAt - written_at < shortLifeMs,
  };
}

/** Creates the repository in `database`. */
export function openRetentionRepository(database: Kysely<Tables>): RetentionRepository {
  return {
    async uses(now, guaranteedMs) {
      const sumIf = (condition: ReturnType<typeof sql<SqlBool>>, value = sql<number>`1`) =>
        sql<number | null>`sum(case when ${condition} then ${value} else 0 end)`;
      const size = sql<number>`coalesce(size, 0)`;
      const isVisible = sql<SqlBool>`purge_at is null`;
      const isVersion = sql<SqlBool>`purge_at is null and act <> 'delete'`;
      const isReclaimable = sql<SqlBool>`purge_at is null and label is null and keep_forever = 0 and kept_at < ${now - guaranteedMs}`;
      const isDue = sql<SqlBool>`purge_at <= ${now}`;
      const isResting = sql<SqlBool>`purge_at > ${now}`;
      const rows = await database
        .selectFrom('kept')
        .select('store')
        .select([
          sumIf(isVisible).as('entries'),
          sumIf(isVisible, size).as('bytes'),
          sql<number | null>`min(case when purge_at is null then kept_at end)`.as('oldest'),
          sumIf(isVersion).as('versions'),
          sumIf(isVersion, size).as('versionBytes'),
          sumIf(isReclaimable, size).as('reclaimable'),
          sumIf(isDue).as('dueEntries'),
          sumIf(isDue, size).as('dueBytes'),
          sumIf(isResting).as('restingEntries'),
          sumIf(isResting, size).as('restingBytes'),
        ])
        .groupBy('store')
        .execute();
      return new Map(
        rows.map(({ store, oldest, ...sums }) => [
          store as VirtualPath,
          {
            oldest,
            entries: Number(sums.entries ?? 0),
            bytes: Number(sums.bytes ?? 0),
            versions: Number(sums.versions ?? 0),
            versionBytes: Number(sums.versionBytes ?? 0),
            reclaimable: Number(sums.reclaimable ?? 0),
            dueEntries: Number(sums.dueEntries ?? 0),
            dueBytes: Number(sums.dueBytes ?? 0),
            restingEntries: Number(sums.restingEntries ?? 0),
            restingBytes: Number(sums.restingBytes ?? 0),
          },
        ]),
      );
    },
    async sizesOf(ids) {
      const sizes = new Map<VirtualPath, { entries: number; bytes: number }>();
      for (const piece of inPieces(ids)) {
        const rows = await database
          .selectFrom('kept')
          .select('store')
          .select([sql<number>`count(*)`.as('entries'), sql<number>`sum(coalesce(size, 0))`.as('bytes')])
          .where('id', 'in', piece)
          .groupBy('store')
          .execute();
        for (const { store, entries, bytes } of rows) {
          const known = sizes.get(store as VirtualPath) ?? { entries: 0, bytes: 0 };
          sizes.set(store as VirtualPath, {
            entries: known.entries + Number(entries),
            bytes: known.bytes + Number(bytes),
          });
        }
      }
      return sizes;
    },
    async largestUsers(limit, store) {
      let query = database
        .selectFrom('kept')
        .select((select) => [
          'user_id as userId',
          select.fn.countAll<number>().as('entries'),
          sql<number>`sum(coalesce(size, 0))`.as('bytes'),
        ])
        .groupBy('user_id')
        .orderBy('bytes', 'desc')
        .limit(limit);
      if (store !== undefined) query = query.where('store', '=', store);
      const rows = await query.execute();
      return rows.map(({ userId, entries, bytes }) => ({
        userId,
        entries: Number(entries),
        bytes: Number(bytes),
      }));
    },
    async shortLivedDeletions(store, limit) {
      const rows = await database
        .selectFrom('kept')
        .where(isDeletion)
        .where('purge_at', 'is', null)
        .where('store', '=', store)
        .where((where) => where('written_by', '=', where.ref('user_id')))
        .where(sql<SqlBool>`kept_at - written_at < ${shortLifeMs}`)
        .select(['id', 'kept_at as keptAt', bytesWithVersions.as('bytes')])
        .orderBy('kept_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, keptAt, bytes }) => ({ id, keptAt, isMeasured: true, bytes: Number(bytes) }));
    },
    async deletedBefore(store, before, limit) {
      const rows = await database
        .selectFrom('kept')
        .where(isDeletion)
        .where('purge_at', 'is', null)
        .where('store', '=', store)
        .where('kept_at', '<', before)
        .select(['id', 'kept_at as keptAt', 'size', bytesWithVersions.as('bytes')])
        .orderBy('kept_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, keptAt, size, bytes }) => ({
        id,
        keptAt,
        isMeasured: size !== null,
        bytes: Number(bytes),
      }));
    },
    async versionsByFile(store, after, limit) {
      let query = database
        .selectFrom('kept')
        .where('name_key', 'is not', null)
        .where('purge_at', 'is', null)
        .where('store', '=', store);
      if (after !== null) query = query.where(isAfter(after));
      const rows = await query
        .select(['id', 'place', 'name_key', 'owner_id', 'kept_at', 'modified_ns', 'user_id', 'size'])
        .select(['written_by', 'written_at', 'label', 'keep_forever'])
        .orderBy('place')
        .orderBy('name_key')
        .orderBy('owner_id')
        .orderBy('kept_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return { versions: rows.map(removableOf), last: endOfPage(rows) };
    },
  };
}
