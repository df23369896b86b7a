import type { Kysely, Selectable } from 'kysely';
import type { JobRepository, StoredJob } from '../database.ts';
import type { JobRow, Tables } from '../schema.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';

/** Number of items in a row: few enough to be read and written at once. */
const itemsPerRow = 1_000;

const jobOf = (row: Selectable<JobRow>): StoredJob => ({
  id: row.id,
  userId: row.user_id,
  sessionId: row.session_id,
  scope: row.scope,
  request: JSON.parse(row.request_json),
  itemCount: row.item_count,
  createdAt: row.created_at,
  isEnded: row.is_ended === 1,
  progress: JSON.parse(row.progress_json),
});

/** Creates the repository of jobs in `database`. */
export function openJobRepository(database: Kysely<Tables>): JobRepository {
  return {
    async list() {
      const rows = await database
        .selectFrom('jobs')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(jobOf);
    },
    create: (job, items) =>
      inTransaction(database, async (transaction) => {
        await transaction
          .insertInto('jobs')
          .values({
            id: job.id,
            user_id: job.userId,
            session_id: job.sessionId,
            scope: job.scope,
            request_json: JSON.stringify(job.request),
            item_count: job.itemCount,
            created_at: job.createdAt,
            is_ended: job.isEnded ? 1 : 0,
            progress_json: JSON.stringify(job.progress),
          })
          .execute();
        for (let first = 0; first < items.length; first += itemsPerRow) {
          const items_json = JSON.stringify(items.slice(first, first + itemsPerRow));
          await transaction.insertInto('job_items').values({ job_id: job.id, first, items_json }).execute();
        }
      }),
    async items(id, first) {
      const rows = await database
        .selectFrom('job_items')
        .select(['first', 'items_json'])
        .where('job_id', '=', id)
        .where('first', '>', first - itemsPerRow)
        .orderBy('first')
        .execute();
      const items = rows.flatMap((row) => JSON.parse(row.items_json) as unknown[]);
      return items.slice(first - (rows[0]?.first ?? first));
    },
    async *results(id) {
      for (let next = 0; ;) {
        const row = await database
          .selectFrom('job_results')
          .select(['first', 'results_json'])
          .where('job_id', '=', id)
          .where('first', '>=', next)
          .orderBy('first')
          .limit(1)
          .executeTakeFirst();
        if (row === undefined) return;
        next = row.first + 1;
        yield JSON.parse(row.results_json) as unknown[];
      }
    },
    update: (id, { isEnded, progress }, { first, added }) =>
      inTransaction(database, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('jobs')
          .set({ is_ended: isEnded ? 1 : 0, progress_json: JSON.stringify(progress) })
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n || added.length === 0) return;
        const results_json = JSON.stringify(added);
        await transaction.insertInto('job_results').values({ job_id: id, first, results_json }).execute();
      }),
    async requestCancellation(id) {
      const { numUpdatedRows } = await database
        .updateTable('jobs')
        .set({ is_cancelled: 1 })
        .where('id', '=', id)
        .where('is_ended', '=', 0)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async cancellations() {
      const rows = await database
        .selectFrom('jobs')
        .select('id')
        .where('is_cancelled', '=', 1)
        .where('is_ended', '=', 0)
        .execute();
      return rows.map(({ id }) => id);
    },
    remove: (id) =>
      inTransaction(database, async (transaction) => {
        await transaction.deleteFrom('job_results').where('job_id', '=', id).execute();
        await transaction.deleteFrom('job_items').where('job_id', '=', id).execute();
        await transaction.deleteFrom('jobs').where('id', '=', id).execute();
      }),
  };
}
