import * as endpoints from '@filestead/contract/endpoints/live';
import type { FolderChanges } from '@filestead/contract/endpoints/live';
import type { ListingRow } from '@filestead/contract/files';
import type { Rule } from '@filestead/contract/rules';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { User } from '@filestead/contract/users';
import type { FastifyInstance } from 'fastify';
import type { FileEvents } from '../access/file-events.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import { isAppError } from '../errors.ts';
import { EventStream, eventStreamHeaders } from '../http/response/event-stream.ts';
import { hijackReply } from '../http/response/hijack-reply.ts';
import type { Route } from '../http/server/route.ts';
import type { Entry } from '../storage/storage.ts';
import { Feeds, folderErrorOf, parseFolderPath } from './feeds.ts';
import { listingVersion } from './live-folder.ts';
import { LiveFolders } from './live-folders.ts';

/** Parts of the server that live folders use. */
export interface LiveParts {
  readonly route: Route;
  readonly events: FileEvents;
  readonly userContexts: Pick<UserContexts, 'ownerOf'>;
  readonly globalRules: () => readonly Rule[];
  readonly clock: Clock;
  /** The row of a listing. */
  readonly rowOf: (entry: Entry) => ListingRow;
  /** Called with a folder of the served root whose entries, or those with these names, may have been changed by other programs. */
  readonly onOutsideChange?: (folder: VirtualPath, names: readonly string[] | null) => void;
  /** Sends the jobs of a user and their changes until the stream ends. */
  readonly followJobs: (userId: number, stream: EventStream) => void;
}

/** Registers the streams of changes. */
export function registerLive(app: FastifyInstance, parts: LiveParts): void {
  const { route, events, clock, followJobs } = parts;
  const folders = new LiveFolders(parts);
  const feeds = new Feeds(folders, clock);
  events.subscribe({
    after(change) {
      folders.addChange(change);
      return undefined;
    },
    aborted(change) {
      folders.addChange(change);
      return undefined;
    },
  });
  app.addHook('preClose', async () => {
    feeds.close();
    folders.close();
  });

  route(app, endpoints.followLive, async ({ userContext, request, reply, signal }) => {
    feeds.assertRoomFor(userContext.user.id);
    const response = hijackReply(reply, 200, eventStreamHeaders);
    if (request.method === 'HEAD') {
      response.end();
      return undefined;
    }
    const stream = new EventStream(response, clock);
    const feed = feeds.open(userContext, stream);
    signal.addEventListener(
      'abort',
      () => feed.bye(isAppError(signal.reason, 'forbidden') ? 'access' : 'session'),
      { once: true },
    );
    stream.open();
    feed.open();
    followJobs(userContext.user.id, stream);
    return undefined;
  });

  route(app, endpoints.setLiveFolders, async ({ userContext, params, body }) =>
    feeds.find(params.feed, userContext).setFolders(body),
  );

  const changesOf = async (
    user: User,
    visibilityKey: string,
    { path, version }: { path: string; version?: string | undefined },
  ): Promise<FolderChanges> => {
    try {
      const reference = await folders.acquire(user, visibilityKey, parseFolderPath(path));
      try {
        const { folder } = reference;
        const { version: current, json } = await folder.changesSince(version);
        const changes = json === null ? {} : (JSON.parse(json) as FolderChanges);
        return { ...changes, path, version: current, source: folder.source };
      } finally {
        reference.release();
      }
    } catch (error) {
      return { path, version: version ?? '', code: folderErrorOf(error) };
    }
  };

  route(app, endpoints.getLiveVersions, async ({ userContext: { user }, body }) => {
    const visibilityKey = folders.visibilityKeyOf(user);
    // A malformed path is an error of the request, not of the folder.
    for (const { path } of body.folders) parseFolderPath(path);
    return Promise.all(body.folders.map((folder) => changesOf(user, visibilityKey, folder)));
  });
}

/** The `version` of a listing that begins now; see {@link listingVersion}. */
export const currentListingVersion = (): string => listingVersion(Date.now());
