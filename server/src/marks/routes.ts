import * as endpoints from '@filestead/contract/endpoints/marks';
import type { MarkedRow } from '@filestead/contract/endpoints/marks';
import { nameOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance } from 'fastify';
import type { UserContext } from '../access/user-context.ts';
import type { Clock } from '../clock.ts';
import type { EntryMarks, MarkRepository, StoredMark } from '../database/mark-repository.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { Route } from '../http/server/route.ts';
import { assertFolder } from '../storage/assert-folder.ts';
import type { Marks } from './open-marks.ts';
import { type VisibleMark, visibleMarks } from './visible-marks.ts';

/** The parts of the server that the routes of marks use. */
export interface MarkRouteOptions {
  readonly route: Route;
  readonly marks: Marks;
  readonly repository: MarkRepository;
  readonly clock: Clock;
  readonly views: EntryViews;
}

const unmarked: EntryMarks = { isFavorite: false, tags: [] };

function presentMark(
  { mark, path, entry }: VisibleMark,
  { isFavorite, tags }: EntryMarks,
  { typeOf, formatModified }: EntryViews,
): MarkedRow {
  const kind = entry?.kind ?? (mark.isFolder ? 'folder' : 'file');
  const dir = kind === 'folder';
  return {
    path,
    dir,
    size: entry === null || dir ? null : entry.size,
    modified: entry === null ? null : formatModified(Number(entry.modifiedNs / 1_000_000n)),
    type: typeOf(kind, nameOf(path), entry?.size ?? 0),
    favorite: isFavorite,
    tags: [...tags],
    ...(entry === null && { gone: true as const }),
  };
}

/** Registers the endpoints of favorites, tags and recent entries. */
export function registerMarks(app: FastifyInstance, options: MarkRouteOptions): void {
  const { route, marks, repository, clock, views } = options;

  const present = async <Row>(
    userContext: UserContext,
    stored: readonly StoredMark[],
    rowOf: (row: MarkedRow, mark: StoredMark) => Row,
    top: VirtualPath = rootPath,
  ): Promise<Row[]> => {
    const storage = await userContext.storage();
    const visible = await visibleMarks({ storage, repository, now: clock.now(), top }, stored);
    const places = visible.map(({ mark }) => mark.place);
    const marksAt = await repository.marksAt(userContext.user.id, places);
    return visible.map((shown) =>
      rowOf(presentMark(shown, marksAt.get(shown.mark.place) ?? unmarked, views), shown.mark),
    );
  };
  const plain = (row: MarkedRow): MarkedRow => row;

  route(app, endpoints.listMarks, async ({ userContext }) => {
    const { id } = userContext.user;
    return {
      favorites: await present(userContext, await repository.list(id, 'favorite'), plain),
      tags: await repository.tagsOf(id),
      recents: await repository.recordsRecents(id),
    };
  });

  route(app, endpoints.changeMarks, async ({ userContext, body }) => ({
    failures: await marks.change(userContext, body),
  }));

  route(app, endpoints.orderFavorites, async ({ userContext, body }) => {
    await marks.order(userContext, body.paths);
    return undefined;
  });

  route(app, endpoints.getFolderMarks, async ({ userContext, requested }) => {
    const storage = await userContext.storage();
    await assertFolder(storage, requested.path);
    const place = storage.toPlace(requested.path);
    const rows = await present(
      userContext,
      await repository.inFolder(userContext.user.id, place, marks.keyAt),
      plain,
      requested.path,
    );
    // Entries that are missing may be in this folder under another name.
    if (rows.some(({ gone }) => gone === true)) marks.finder.changed(place, null);
    return {
      rows: rows
        .filter(({ gone }) => gone !== true)
        .map(({ path, favorite, tags }) => ({ name: nameOf(path as VirtualPath), favorite, tags })),
    };
  });

  route(app, endpoints.listTagged, async ({ userContext, query }) => ({
    rows: await present(userContext, await repository.list(userContext.user.id, 'tag', query.tag), plain),
  }));

  route(app, endpoints.listRecents, async ({ userContext }) => {
    await marks.recents.flush();
    const stored = await repository.list(userContext.user.id, 'recent');
    return {
      rows: await present(userContext, stored, (row, { act, at }) => ({
        ...row,
        act: act ?? 'opened',
        at: new Date(at).toISOString(),
      })),
    };
  });

  route(app, endpoints.recordOpened, async ({ userContext, body }) => {
    await marks.recordOpened(userContext, body.paths);
    return undefined;
  });

  route(app, endpoints.switchRecents, async ({ userContext: { user }, body }) => {
    await repository.setRecordsRecents(user.id, body.on);
    if (!body.on) await clear(user.id);
    return undefined;
  });

  route(app, endpoints.clearRecents, async ({ userContext: { user } }) => {
    await clear(user.id);
    return undefined;
  });

  /** Removes recent entries, also those that are being stored. */
  async function clear(userId: number): Promise<void> {
    marks.recents.drop(userId);
    await marks.recents.flush();
    await repository.clearRecents(userId);
  }
}
