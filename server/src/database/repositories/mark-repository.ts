import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql } from 'kysely';
import type {
  EntryMarks,
  IdentifiedPlace,
  KeyAt,
  MarkedPlace,
  MarkKind,
  MarkRepository,
  RecentAct,
  StoredMark,
} from '../mark-repository.ts';
import type { MarkRow, PlaceRow, Tables } from '../schema.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import { inPieces, PlaceTree, rootPlace } from './place-tree.ts';

/** The form in which tags are compared: upper and lower case, and Unicode forms, are equal. */
const keyOfTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

type JoinedRow = Pick<Selectable<MarkRow>, 'place' | 'tag' | 'act' | 'at'> &
  Pick<Selectable<PlaceRow>, 'is_folder' | 'gone_at'>;

/** Adds the current paths to rows. */
async function placed(database: Kysely<Tables>, rows: readonly JoinedRow[]): Promise<StoredMark[]> {
  const paths = await new PlaceTree(database).pathsOf(rows.map(({ place }) => place));
  return rows.map(({ place, tag, act, at, is_folder, gone_at }) => {
    const found = paths.get(place);
    if (found === undefined) throw new Error('the place of a mark is unknown');
    return {
      place,
      path: found.path,
      keptId: found.keptId,
      isFolder: is_folder === 1,
      goneAt: gone_at,
      tag,
      // The column contains no other values.
      act: act as RecentAct | null,
      at,
    };
  });
}

/** Stores the identity of an entry. */
async function identify(
  transaction: Kysely<Tables>,
  id: number,
  { isFolder, identity }: MarkedPlace,
): Promise<void> {
  await transaction
    .updateTable('places')
    .set({
      is_folder: isFolder ? 1 : 0,
      device: identity?.device ?? null,
      inode: identity?.inode ?? null,
      born_ns: identity?.bornNs ?? null,
      gone_at: null,
    })
    .where('id', '=', id)
    .execute();
}

/** Finds or creates the places of marked entries, each once. */
class MarkedPlaces {
  readonly #transaction: Kysely<Tables>;
  readonly #tree: PlaceTree;
  readonly #keyAt: KeyAt;
  readonly #known = new Map<VirtualPath, number>();

  constructor(transaction: Kysely<Tables>, keyAt: KeyAt) {
    this.#transaction = transaction;
    this.#tree = new PlaceTree(transaction);
    this.#keyAt = keyAt;
  }

  async of(marked: MarkedPlace): Promise<number> {
    const known = this.#known.get(marked.path);
    if (known !== undefined) return known;
    const id = await this.#tree.ensure(marked.path, this.#keyAt(marked.path));
    await identify(this.#transaction, id, marked);
    this.#known.set(marked.path, id);
    return id;
  }
}

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

/** Creates the repository of marks in `database`. */
export function openMarkRepository(database: Kysely<Tables>): MarkRepository {
  const joined = (userId: number) =>
    database
      .selectFrom('marks')
      .innerJoin('places', 'places.id', 'marks.place')
      .select(['marks.place', 'marks.tag', 'marks.act', 'marks.at', 'places.is_folder', 'places.gone_at'])
      .where('user_id', '=', userId);
  const placesOf = async (
    transaction: Kysely<Tables>,
    paths: readonly VirtualPath[],
    keyAt: KeyAt,
  ): Promise<number[]> => {
    const tree = new PlaceTree(transaction);
    const places: number[] = [];
    for (const path of paths) {
      const place = await tree.find(path, keyAt(path));
      if (place !== null && place !== rootPlace) places.push(place);
    }
    return places;
  };
  /** Places with an identity that are not deleted themselves. */
  const identified = () =>
    database
      .selectFrom('places')
      .where('inode', 'is not', null)
      .where('is_folder', 'is not', null)
      .where('kept_id', 'is', null);

  return {
    async list(userId, kind, tag) {
      let query = joined(userId).where('kind', '=', kind);
      if (tag !== undefined) query = query.where('tag_key', '=', keyOfTag(tag));
      const ordered =
        kind === 'favorite'
          ? query.orderBy('position').orderBy('marks.id')
          : query.orderBy('at', 'desc').orderBy('marks.id', 'desc');
      return placed(database, await ordered.execute());
    },
    async tagsOf(userId) {
      const rows = await database
        .selectFrom('marks')
        .select((select) => ['tag_key', select.fn.min<string>('tag').as('tag')])
        .where('user_id', '=', userId)
        .where('kind', '=', 'tag')
        .groupBy('tag_key')
        .orderBy('tag_key')
        .execute();
      return rows.map(({ tag }) => tag);
    },
    async marksAt(userId, places) {
      const found = new Map<number, { isFavorite: boolean; tags: string[] }>();
      for (const piece of inPieces(places)) {
        const rows = await database
          .selectFrom('marks')
          .select(['place', 'kind', 'tag'])
          .where('user_id', '=', userId)
          .where('kind', '!=', 'recent')
          .where('place', 'in', piece)
          .orderBy('id')
          .execute();
        for (const { place, kind, tag } of rows) {
          const marks = found.get(place) ?? { isFavorite: false, tags: [] };
          found.set(place, marks);
          if (kind === 'favorite') marks.isFavorite = true;
          else marks.tags.push(tag);
        }
      }
      return found satisfies ReadonlyMap<number, EntryMarks>;
    },
    async inFolder(userId, folder, keyAt) {
      const parent = await new PlaceTree(database).find(folder, keyAt(folder));
      if (parent === null) return [];
      const rows = await joined(userId)
        .where('kind', '!=', 'recent')
        .where('places.parent', '=', parent)
        .execute();
      const first = new Map(rows.map((row) => [row.place, row]));
      return placed(database, [...first.values()]);
    },
    add: (userId, marks, keyAt, limits) =>
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
      }),
    remove: (userId, paths, { kind, tag }, keyAt) =>
      inTransaction(database, async (transaction) => {
        for (const piece of inPieces(await placesOf(transaction, paths, keyAt))) {
          await transaction
            .deleteFrom('marks')
            .where('user_id', '=', userId)
            .where('place', 'in', piece)
            .where('kind', '=', kind)
            .where('tag_key', '=', keyOfTag(tag))
            .execute();
        }
      }),
    order: (userId, paths, keyAt) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .selectFrom('marks')
          .select(['id', 'place'])
          .where('user_id', '=', userId)
          .where('kind', '=', 'favorite')
          .orderBy('position')
          .orderBy('id')
          .execute();
        const first = new Map((await placesOf(transaction, paths, keyAt)).map((place, i) => [place, i]));
        const ordered = rows.toSorted(
          (a, b) => (first.get(a.place) ?? first.size) - (first.get(b.place) ?? first.size),
        );
        for (const [position, { id }] of ordered.entries()) {
          await transaction.updateTable('marks').set({ position }).where('id', '=', id).execute();
        }
      }),
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
    async setGone(places, goneAt) {
      for (const piece of inPieces(places)) {
        await database.updateTable('places').set({ gone_at: goneAt }).where('id', 'in', piece).execute();
      }
    },
    async inodes() {
      const rows = await identified().select('inode').distinct().execute();
      return new Set(rows.flatMap(({ inode }) => inode ?? []));
    },
    async withInodes(inodes) {
      const found: IdentifiedPlace[] = [];
      for (const piece of inPieces(inodes)) {
        const rows = await identified()
          .select(['id', 'is_folder', 'device', 'inode', 'born_ns'])
          .where('inode', 'in', piece)
          .execute();
        const paths = await new PlaceTree(database).pathsOf(rows.map(({ id }) => id));
        for (const { id, is_folder, device, inode, born_ns } of rows) {
          const present = paths.get(id);
          if (present === undefined || present.keptId !== null || inode === null) continue;
          const identity = { device: device ?? '', inode, bornNs: born_ns ?? '' };
          found.push({ place: id, path: present.path, isFolder: is_folder === 1, identity });
        }
      }
      return found;
    },
    relocate: (place, path, keyAt) =>
      inTransaction(database, async (transaction) => {
        const keyOf = keyAt(path);
        const tree = new PlaceTree(transaction);
        const parent = await tree.ensure(parentOf(path), keyOf);
        const above = await tree.placesAbove(parent);
        // A folder is never moved into itself: the path of a loop would have no end.
        if (above.has(place)) return;
        const name = nameOf(path);
        await tree.attach(place, parent, name, keyOf(name));
      }),
    async goneBefore(time, limit) {
      const rows = await database
        .selectFrom('places')
        .select('id')
        .where('gone_at', '<', time)
        .orderBy('gone_at')
        .limit(limit)
        .execute();
      const ids = rows.map(({ id }) => id);
      const paths = await new PlaceTree(database).pathsOf(ids);
      return ids.flatMap((place) => {
        const found = paths.get(place);
        return found === undefined ? [] : [{ place, ...found }];
      });
    },
    forget: (places) =>
      inTransaction(database, async (transaction) => {
        for (const piece of inPieces(places)) {
          await transaction.deleteFrom('marks').where('place', 'in', piece).execute();
          await transaction.updateTable('places').set({ gone_at: null }).where('id', 'in', piece).execute();
        }
      }),
  };
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
