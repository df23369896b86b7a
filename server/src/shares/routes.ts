import type { ArchiveRequest, ArchiveTicket } from '@filestead/contract/archives';
import { maxUnknownSharesPerAddress } from '@filestead/contract/values/limits';
import * as contract from '@filestead/contract/shares';
import type { Sorting } from '@filestead/contract/users';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AttemptLimiter, openAttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { ShareRepository } from '../database/database.ts';
import type { ContentRequest, ContentViews, EntryViews } from '../http/files/content-views.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { Route } from '../http/server/route.ts';
import { partyOf } from '../http/request/party-of.ts';
import type { Party } from '../scheduling/party.ts';
import { registerOwnShares } from './own-share-routes.ts';
import type { LoggedShareChange } from './share-change.ts';
import type { ShareSync } from './sync-shares-with-files.ts';
import { type OpenedShare, WrongSharePassword, assertStillShared, openShare } from './open-share.ts';
import type { ShareDependencies } from './dependencies.ts';
import { listPictureSizes, type ListMedia } from './list-picture-sizes.ts';
import { openShareTokens } from './share-tokens.ts';
import { type SharedStorage, withSharedStorage } from './shared-storage.ts';
import { openVisitCounter } from './visit-counter.ts';

/** The functions that send the files of a share, the same as for their owner. */
export interface ShareViews extends ContentViews, EntryViews {
  /** Archives of selections that are too long for a URL. The `holder` distinguishes shares. */
  readonly archives: {
    readonly issue: (
      options: Pick<ContentRequest, 'storage'> & {
        readonly signal: AbortSignal;
        readonly holder: string;
        readonly party: Party;
        readonly body: ArchiveRequest;
        readonly rootName: string;
      },
    ) => Promise<ArchiveTicket>;
    readonly send: (
      options: Omit<ContentRequest, 'requested'> & {
        readonly signal: AbortSignal;
        readonly holder: string;
        readonly ticket: string;
      },
    ) => Promise<void>;
  };
  /** Sends a subtitle file as WebVTT. */
  readonly sendSubtitles: (options: ContentRequest) => Promise<void>;
  /** Reads the headers of pictures and videos. */
  readonly listMedia: ListMedia;
}

/** The sorting for visitors, which does not depend on the owner's (docs/reference/filebrowser-api.md §1.12). */
const visitorSorting: Sorting = { by: 'name', asc: false };

/** The name of an archive of a user's whole scope. The name of its folder is not disclosed. */
const archiveNameOfScope = 'files';

/** The parameters that all public endpoints have in common. */
interface PublicCall {
  readonly params: { readonly hash: string };
  readonly query: { readonly token?: string | undefined };
  /** The path below the share; the root where the endpoint has no path. */
  readonly requested: RequestedPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
  readonly getSignal: () => AbortSignal;
  readonly keepChecking: (check: () => Promise<void>) => void;
}

/** The parts of the server that the routes of shares use. */
interface ShareRouteOptions {
  readonly route: Route;
  readonly views: ShareViews;
  readonly shares: ShareRepository;
  readonly userContexts: UserContexts;
  readonly sync: ShareSync;
  /** Logs a change of a share as an operation, and returns its id. */
  readonly logChange: (userContext: UserContext, change: LoggedShareChange) => string;
  /** Limits wrong passwords. */
  readonly limiter: AttemptLimiter;
  /** Window of the limit of requests for unknown shares. */
  readonly unknownWindowMs: number;
  /** Returns the current key that signs the tokens of protected shares. */
  readonly key: () => Uint8Array;
  readonly tokenLifeMs: number;
  readonly clock: Clock;
  /** Maximum number of shares per user. */
  readonly maxPerUser: number;
}

/** Interval at which counted visits are written. */
const visitFlushIntervalMs = 10_000;

/** Registers the routes with which users create, list and delete shares, and those of their visitors. */
export function registerShares(app: FastifyInstance, options: ShareRouteOptions): void {
  const { route, views, sync } = options;
  const dependencies = openDependencies(options);
  const access = openShareAccess(dependencies);
  app.addHook('onClose', () => sync.flush());
  writeVisits(app, dependencies, options.clock);
  registerOwnShares(app, options, dependencies);
  registerPublicFiles(app, { route, views, ...access });
  registerPublicArchives(app, { route, views, ...access });
  registerPublicMedia(app, { route, views, ...access });
}

function openDependencies(options: ShareRouteOptions): ShareDependencies {
  const { shares, userContexts, sync, limiter, unknownWindowMs, key, tokenLifeMs, clock, maxPerUser } =
    options;
  const { now } = clock;
  return {
    shares,
    maxPerUser,
    userContexts,
    sync,
    tokens: openShareTokens({ key, lifeMs: tokenLifeMs, now }),
    visits: openVisitCounter(shares, now),
    passwordLimiter: limiter,
    unknownLimiter: openAttemptLimiter({
      perAddress: maxUnknownSharesPerAddress,
      perName: Number.POSITIVE_INFINITY,
      windowMs: unknownWindowMs,
    }),
    now,
  };
}

/** Writes the counted visits every {@link visitFlushIntervalMs} and when the server closes. */
function writeVisits(app: FastifyInstance, { visits }: ShareDependencies, clock: Clock): void {
  const flush = () =>
    visits
      .flush()
      .catch((error: unknown) => app.log.error({ err: error }, 'visits of shares could not be stored'));
  const stop = clock.every(visitFlushIntervalMs, () => void flush());
  app.addHook('onClose', async () => {
    stop();
    await flush();
  });
}

/** The access of visitors: checks for each request that the share exists, and that the password or token is correct. */
interface ShareAccess {
  /** Opens the share of a request for `work`, and returns the result of `work`. */
  readonly withShare: <Result>(
    call: PublicCall,
    work: (shared: SharedStorage, opened: OpenedShare) => Promise<Result>,
  ) => Promise<Result>;
  /** Opens the share of a request for `send`, which sends the response itself. */
  readonly sendShare: (
    call: PublicCall,
    send: (shared: SharedStorage, opened: OpenedShare) => Promise<void>,
  ) => Promise<undefined>;
}

function openShareAccess(dependencies: ShareDependencies): ShareAccess {
  const withShare: ShareAccess['withShare'] = async (call, work) => {
    const { params, query, requested, request, reply, signal, keepChecking } = call;
    reply.header('vary', 'x-share-password');
    const password = request.headers['x-share-password'];
    try {
      const opened = await openShare(dependencies, {
        hash: params.hash,
        address: clientAddress(request),
        token: query.token,
        password: typeof password === 'string' ? password : undefined,
        signal,
      });
      keepChecking(() => assertStillShared(dependencies, params.hash, requested));
      return await withSharedStorage(dependencies.userContexts, opened.share, (shared) => {
        dependencies.visits.record(params.hash, clientAddress(request));
        return work(shared, opened);
      });
    } catch (error) {
      if (error instanceof WrongSharePassword) request.audit.reason = 'wrong_password';
      throw error;
    }
  };
  return {
    withShare,
    sendShare: async (call, send) => {
      await withShare(call, send);
      return undefined;
    },
  };
}

interface PublicRouteOptions extends ShareAccess {
  readonly route: Route;
  readonly views: ShareViews;
}

/** Visitors get no versions of files: throws `not_found` if the query names one, as for one that does not exist. */
function assertNoVersion({ version }: { readonly version?: string | undefined }): void {
  if (version !== undefined) throw new AppError('not_found');
}

/** Registers the endpoints with which visitors list and download a share. */
function registerPublicFiles(app: FastifyInstance, { route, views, sendShare }: PublicRouteOptions): void {
  route(app, contract.getPublicShare, (call) =>
    sendShare(call, async ({ storage, owner, name, placeOf }, { share, token }) => {
      const { requested, request, reply, signal } = call;
      await views.presentResource({
        storage,
        requested: placeOf(requested),
        sorting: visitorSorting,
        canModify: owner.perm.modify,
        canDownload: true,
        withContent: false,
        checksum: '',
        accept: request.headers.accept,
        rootName: name,
        ...(share.isFolder ? {} : { shownPath: '' }),
        ...(token === null ? {} : { token }),
        ...(share.expiresAt === 0 ? {} : { expire: share.expiresAt }),
        request,
        reply,
        signal,
      });
    }),
  );

  route(app, contract.getPublicDownload, (call) =>
    sendShare(call, async ({ storage, name, placeOf }, { share }) => {
      const { requested, query, request, reply, getSignal } = call;
      assertNoVersion(query);
      const { inline, algo } = query;
      await views.sendRaw({
        storage,
        requested: placeOf(requested),
        // A share of a single file contains nothing else.
        query: share.isFolder ? query : { inline, algo },
        rootName: name || archiveNameOfScope,
        request,
        reply,
        getSignal,
      });
    }),
  );
}

/** Registers the endpoints for archives of a visitor's selection. */
function registerPublicArchives(
  app: FastifyInstance,
  { route, views, withShare, sendShare }: PublicRouteOptions,
): void {
  // The share and its password are checked before the body is read.
  route(
    app,
    contract.createPublicArchive,
    (call) =>
      withShare(call, async ({ storage, name }, { share }) =>
        views.archives.issue({
          holder: share.hash,
          party: partyOf(call.request),
          storage,
          body: await call.readBody(),
          rootName: name || archiveNameOfScope,
          signal: call.signal,
        }),
      ),
    { readsBody: true },
  );

  route(app, contract.getPublicArchive, (call) =>
    sendShare(call, async ({ storage }, { share }) => {
      const { params, request, reply, signal } = call;
      await views.archives.send({
        holder: share.hash,
        storage,
        ticket: params.ticket,
        request,
        reply,
        signal,
      });
    }),
  );
}

/** Registers the endpoints of subtitles, previews and sizes of pictures for visitors. */
function registerPublicMedia(
  app: FastifyInstance,
  { route, views, withShare, sendShare }: PublicRouteOptions,
): void {
  // The share and its password are checked before the body is read.
  route(
    app,
    contract.listPublicMedia,
    (call) =>
      withShare(call, async ({ storage, placeOf }) => {
        const { path } = placeOf(call.requested);
        const { names } = await call.readBody();
        const requester = { party: partyOf(call.request), signal: call.signal };
        return { rows: await listPictureSizes(views.listMedia, storage, path, names, requester) };
      }),
    { readsBody: true },
  );

  route(app, contract.getPublicSubtitle, (call) =>
    sendShare(call, async ({ storage, placeOf }) => {
      const { requested, request, reply } = call;
      await views.sendSubtitles({ storage, requested: placeOf(requested), request, reply });
    }),
  );

  route(app, contract.getPublicPreview, (call) =>
    sendShare(call, async ({ storage, placeOf }) => {
      const { requested, params, query, request, reply, getSignal } = call;
      assertNoVersion(query);
      await views.sendPreview({
        storage,
        requested: placeOf(requested),
        size: params.size,
        isInline: query.inline === 'true',
        request,
        reply,
        getSignal,
      });
    }),
  );
}
