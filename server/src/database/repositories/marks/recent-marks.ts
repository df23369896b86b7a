import type { Kysely } from 'kysely';
import type { MarkRepository } from '../../mark-repository.ts';
import type { Tables } from '../../schema.ts';

/** The part of the repository that limits the recent entries of a user. */
export type RecentMarks = Pick<
  MarkRepository,
  'recordsRecents' | 'setRecordsRecents' | 'clearRecents' | 'trimRecents'
>;

/** Creates the limits of the recent entries in `database`. */
export function openRecentMarks(database: Kysely<Tables>): RecentMarks {
  return {
    async recordsRecents(userId) {
      const row = await database
        .selectFrom('mark_options')
        .select('records_recents')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row?.records_recents !== 0;
    },
    async setRecordsRecents(userId, isOn) {
      const records_recents = isOn ? 1 : 0;
      await database
        .insertInto('mark_options')
        .values({ user_id: userId, records_recents })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ records_recents }))
        .execute();
    },
    async clearRecents(userId) {
      await database.deleteFrom('marks').where('user_id', '=', userId).where('kind', '=', 'recent').execute();
    },
    async trimRecents(userId, most) {
      await database
        .deleteFrom('marks')
        .where('id', 'in', (older) =>
          older
            .selectFrom('marks')
            .select('id')
            .where('user_id', '=', userId)
            .where('kind', '=', 'recent')
            .orderBy('at', 'desc')
            .orderBy('id', 'desc')
            .limit(-1)
            .offset(most),
        )
        .execute();
    },
  };
}
