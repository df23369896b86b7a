import { keyOfTag } from '@filestead/contract/values/tag-key';
import { type Kysely, sql } from 'kysely';
import type { KeyAt, MarkKind, MarkLimits, NewMark } from '../../mark-repository.ts';
import type { Tables } from '../../schema.ts';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import { inPieces, rootPlace } from '../place-tree.ts';
import { MarkedPlaces } from './marked-places.ts';

/** Counts the marks of a user. */
async function count(database: Kysely<Tables>, userId: number, kind: MarkKind): Promise<number> {
  const row = await database
    .selectFrom('marks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns the largest number of tags of one of these places. */
async function mostTags(
  transaction: Kysely<Tables>,
  userId: number,
  places: readonly number[],
): Promise<number> {
  let most = 0;
  for (const piece of inPieces(places)) {
    const rows = await transaction
      .selectFrom('marks')
      .select((select) => ['place', select.fn.countAll<number>().as('count')])
      .where('user_id', '=', userId)
      .where('kind', '=', 'tag')
      .where('place', 'in', piece)
      .groupBy('place')
      .execute();
    for (const row of rows) most = Math.max(most, Number(row.count));
  }
  return most;
}

/** Thrown in a transaction that would store more marks than a user may have. */
class TooManyMarks extends Error {}

/** Runs `work` in a transaction; nothing is stored if it returns false. */
async function withinLimits(
  database: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<boolean>,
): Promise<boolean> {
  try {
    await inTransaction(database, async (transaction) => {
      if (!(await work(transaction))) throw new TooManyMarks();
    });
    return true;
  } catch (error) {
    if (error instanceof TooManyMarks) return false;
    throw error;
  }
}

/** Stores marks in one transaction; see `MarkRepository.add`. */
export const addMarks = (
  database: Kysely<Tables>,
  userId: number,
  marks: readonly NewMark[],
  keyAt: KeyAt,
  limits: MarkLimits,
): Promise<boolean> =>
  withinLimits(database, async (transaction) => {
    const places = new MarkedPlaces(transaction, keyAt);
    const favorites = await count(transaction, userId, 'favorite');
    const tags = await count(transaction, userId, 'tag');
    const newFavorites = marks.filter(({ kind }) => kind === 'favorite').length;
    const newTags = marks.filter(({ kind }) => kind === 'tag').length;
    if (favorites + newFavorites > limits.favorites && newFavorites > 0) return false;
    if (tags + newTags > limits.tags && newTags > 0) return false;
    const tagged = new Set<number>();
    for (const { places: chain, kind, tag, act, at } of marks) {
      let place = rootPlace;
      for (const marked of chain) place = await places.of(marked);
      if (kind === 'tag') tagged.add(place);
      await transaction
        .insertInto('marks')
        .values({
          user_id: userId,
          place,
          kind,
          tag,
          tag_key: keyOfTag(tag),
          act,
          position:
            kind === 'favorite'
              ? sql<number>`(select coalesce(max(position), 0) + 1 from marks where user_id = ${userId} and kind = 'favorite')`
              : 0,
          at,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'place', 'kind', 'tag_key'])
            .doUpdateSet(kind === 'favorite' ? { act } : { tag, act, at }),
        )
        .execute();
    }
    return (await mostTags(transaction, userId, [...tagged])) <= limits.tagsPerEntry;
  });
