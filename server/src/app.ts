import type { EntryType } from '@filestead/contract/files';
import { extensionOf, nameOf, parsePath } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance } from 'fastify';
import { followChanges } from './catalogue/follow-changes.ts';
import { captchaService } from './config/captcha-service.ts';
import { openCommands } from './commands/open-commands.ts';
import { archiveName } from './archives/plan-archive.ts';
import { openArchiveOperations } from './archives/archive-operations.ts';
import { openArchiveReader } from './archives/reading/open-archive.ts';
import { registerArchiveContents, registerArchives } from './archives/routes.ts';
import { openTicketedArchives } from './archives/ticketed-archives.ts';
import { archiveSender } from './archives/send-archive.ts';
import { deleteEntry } from './files/delete-entry.ts';
import { type ClaimedNames, moveEntry } from './files/move-entry.ts';
import { assertCreatable } from './files/assert-creatable.ts';
import { rowOf } from './files/listing/entry-text.ts';
import { listedTypeIndex, typeAt } from './files/listing/entry-type.ts';
import { formatModified } from './files/listing/format-modified.ts';
import { presentResource } from './files/listing/present-resource.ts';
import { registerFiles } from './files/routes.ts';
import { openSaveContent } from './files/save-content.ts';
import { rawSender } from './files/send-raw.ts';
import { sendSubtitles } from './files/subtitles/send-subtitles.ts';
import type { UserContext } from './access/user-context.ts';
import { openBranding } from './http/page/branding.ts';
import { handleErrors } from './http/response/error-handler.ts';
import { logRequests } from './http/server/log-request.ts';
import { prepareRoutes, route } from './http/server/route.ts';
import { serveWeb } from './http/page/serve-web.ts';
import { handleUnreadBodies } from './http/request/unread-body.ts';
import { openWebBuild } from './http/page/web-build.ts';
import { registerHistory } from './history/routes.ts';
import { leftStateOf } from './history/left-state.ts';
import { logCreatedFolder, logShare } from './history/undo-step.ts';
import { registerJobs, startAuditedJob } from './jobs/routes.ts';
import type { RestoreOne } from './jobs/job-dependencies.ts';
import { currentListingVersion, registerLive } from './live/routes.ts';
import { registerMarks } from './marks/routes.ts';
import { type AppParts, createApp } from './start/app/create-app.ts';
import { pageConfigOf } from './start/app/page-config.ts';
import { purgeExpired } from './start/app/purge-expired.ts';
import { restoreForCommands } from './start/app/restore-for-commands.ts';
import { undoActions } from './start/app/undo-actions.ts';
import { isIndependentCheck } from './operations/routes.ts';
import { openMedia } from './previews/metadata/list-media.ts';
import { openPreviews } from './previews/open-previews.ts';
import { registerPreviews } from './previews/routes.ts';
import { registerContents } from './search/contents-routes.ts';
import { registerFind } from './search/find-routes.ts';
import { registerSearch } from './search/routes.ts';
import { registerSpace } from './space/routes.ts';
import { registerAccounts } from './start/app/register-accounts.ts';
import { registerChecks } from './start/app/register-checks.ts';
import { registerShares } from './shares/routes.ts';
import { undoShareChange } from './shares/share-change.ts';
import type { EntryKind } from './storage/storage.ts';
import { openKeeping } from './retention/open-keeping.ts';
import { registerStorage } from './retention/routes.ts';
import { completeKeptIndex } from './trash/complete-kept-index.ts';
import { restoreItem } from './trash/restore-item.ts';
import { registerTrash } from './trash/routes.ts';
import { FolderUploads } from './uploads/folder-uploads.ts';
import { registerUploads } from './uploads/routes.ts';
import { registerVersions } from './versions/routes.ts';
import { contentOfFile } from './versions/version-content.ts';
import { openServices } from './start/app/open-services.ts';

/** Returns the type of an entry in a listing. */
const listedTypeOf = (kind: EntryKind, name: string, size: number): EntryType =>
  typeAt(listedTypeIndex(kind, extensionOf(name), size));

/**
 * Connects the features and returns a server that is ready to listen. Closing it leaves the database and the
 * storage open.
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, storage, clock, config, options } = parts;
  const { baseUrl } = config;
  const {
    settings,
    runningRequests,
    userContexts,
    limiter,
    events,
    history,
    space,
    shareSync,
    trash,
    catalogue,
    contents,
    marks,
    spaceKeeper,
    operations,
    versions,
    keys,
    sessions,
    readExternalChanges,
  } = await openServices(parts);
  const claimed: ClaimedNames = new Set();
  const app = createApp(parts);
  app.addHook('onRequest', async ({ routeOptions: { url } }) => {
    if (!isIndependentCheck(url)) await readExternalChanges();
  });
  // Precedes the jobs, which continue when the server listens.
  completeKeptIndex(app, {
    readNew: () => trash.readNew(),
    async start(signal) {
      await shareSync.completeRemovals();
      await trash.start(signal);
      if (signal.aborted) return;
      requestedRestorations.start();
      await versions.start();
      spaceKeeper.start();
    },
  });
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  handleErrors(app);
  logRequests(app);
  handleUnreadBodies(app);
  prepareRoutes(app, sessions, runningRequests, config);

  registerAccounts(app, {
    database,
    storage,
    letterCase: parts.letterCase,
    settings,
    userContexts,
    sessions,
    limiter,
    catalogue,
    now: clock.now,
    config,
    signIn: options.signIn,
    onPasswordReplaced: options.onPasswordReplaced,
  });
  const sendArchive = archiveSender(config.maxArchives);
  const archiveReader = openArchiveReader();
  const sendRaw = rawSender({ archiveName, sendArchive });
  const rootNameOf = ({ user }: UserContext): string =>
    nameOf(parsePath(user.scope).path) || options.rootName;
  registerArchives(app, { route, sendArchive, rootNameOf, now: clock.now });
  const folderUploads = await FolderUploads.open({
    repository: database.folderUploads,
    userContexts,
    limits: config,
    clock,
    log: app.log,
  });
  await registerUploads(app, {
    route,
    repository: database.uploads,
    folders: folderUploads,
    userContexts,
    events,
    operations,
    space,
    limits: config,
    clock,
    baseUrl,
    assertCreatable,
    discard: (path, part) => storage.partial(path, part).discard(),
    measure: (path, part) => storage.partial(path, part).size(),
  });
  const restoreDeleted: RestoreOne = async (operation, id, target) =>
    restoreItem(
      { repository: database.trash, index: trash.index, events, log: app.log },
      await trash.viewOf(operation.userContext),
      operation,
      id,
      { resumesLinks: true, ...target },
    );
  history.setActions(
    undoActions({
      database,
      storage,
      events,
      space,
      claimed,
      versions,
      restoreDeleted,
      async undoShare(userContext, step, options) {
        const maxPerUser = config.maxSharesPerUser;
        const shareParts = { shares: database.shares, userContexts, maxPerUser, now: clock.now };
        const change = await undoShareChange(shareParts, userContext, step, options);
        // A former password ends downloads of visitors who do not know it.
        if (!options.isCheck) app.runningRequests.permissionsChanged();
        return change;
      },
      now: clock.now,
      log: app.log,
    }),
  );
  const jobs = await registerJobs(app, {
    route,
    repository: database.jobs,
    views: { typeOf: listedTypeOf, formatModified },
    discard: (path, name) => storage.partial(path, { name, mode: 'create' }).discard(),
    userContexts,
    events,
    clock,
    limits: config,
    archives: openArchiveOperations({
      reader: archiveReader,
      root: storage,
      assertCreatable,
      now: clock.now,
    }),
    operations: {
      transfer: (from, transfer) => moveEntry(from, { ...transfer, claimed }),
      remove: deleteEntry,
    },
    beginOperation: operations.begin,
    onOperation: history.running,
    storeChanges: async () => {
      await trash.index.flush();
      await shareSync.flush();
    },
    undo: async (operation, step, signal) => (await history.undo(operation, step, signal)).path,
    restore: restoreDeleted,
  });
  const previews = openPreviews({ ...config, cacheFolder: options.previewFolder }, clock, {
    onTrouble: (error) => app.log.warn({ err: error }, 'a preview could not be stored in the cache'),
    onMissing: (text) => app.log.warn(text),
  });
  app.addHook('onClose', async () => previews.close());
  const saveContent = openSaveContent({ events, space, operations });
  const withVersion = contentOfFile(versions);
  registerPreviews(app, {
    route,
    sendPreview: previews.send,
    withVersion,
    media: openMedia(clock),
    saveContent,
  });
  registerArchiveContents(app, {
    route,
    reader: archiveReader,
    views: { presentResource, sendRaw, sendPreview: previews.send },
  });
  const onListing = previews.onListing;
  registerLive(app, {
    route,
    events,
    userContexts,
    globalRules: () => settings.current.rules,
    clock,
    rowOf,
    onOutsideChange: (folder, names) => marks.finder.changed(folder, names),
    followJobs: (userId, stream) =>
      jobs.join(userId, stream, { snapshot: 'jobs', job: 'job', removed: 'job_removed' }),
  });
  registerFiles(app, {
    route,
    listingVersion: currentListingVersion,
    events,
    space,
    claimed,
    operations,
    onFolderCreated: (operation, from, path) => logCreatedFolder(history.log, operation, from, path),
    saveContent,
    keeping: openKeeping(
      database.retention,
      (store) =>
        storage.usage(store).then(
          ({ fileSystem }) => fileSystem,
          () => null,
        ),
      clock,
      config.keepAtLeastMs,
    ),
    sentFiles: folderUploads,
    sendRaw,
    withVersion,
    onListing,
    rootNameOf,
  });
  registerTrash(app, {
    route,
    trash,
    repository: database.trash,
    userContexts,
    events,
    operations,
    clock,
    trashDays: () => settings.current.trashDays,
    purgeDelayMs: config.purgeDelayMs,
    views: {
      typeOf: listedTypeOf,
      formatModified,
      presentResource,
      sendRaw,
      sendPreview: previews.send,
      startJob: (userContext, job, request) => startAuditedJob(jobs, userContext, job, request),
    },
  });
  registerVersions(app, {
    route,
    versions,
    repository: database.versions,
    events,
    operations,
    space,
    storage,
    userContexts,
    assertCreatable,
    log: app.log,
    purge: (userContext, id) => trash.purge(userContext, id),
    views: { typeOf: listedTypeOf, formatModified, sendRaw, sendPreview: previews.send },
  });
  registerHistory(app, {
    route,
    history,
    repository: database.operations,
    userContexts,
    operations,
    clock,
    findUser: async (username) => (await database.users.findByName(username))?.id ?? null,
    startJob: (userContext, job, request) => startAuditedJob(jobs, userContext, job, request),
  });
  registerStorage(app, {
    route,
    spaceKeeper,
    repository: database.retention,
    storage,
    usersById: async () => new Map((await database.users.list()).map(({ id, username }) => [id, username])),
    settings,
    options: config,
    retention: trash.retention,
    clock,
  });
  registerShares(app, {
    route,
    shares: database.shares,
    userContexts,
    sync: shareSync,
    logChange(userContext, { kind, path, folder, share }) {
      const operation = operations.begin(userContext, kind);
      const left = folder && leftStateOf(folder);
      logShare(history.log, operation, { path, left, undoes: null, share });
      return operation.id;
    },
    limiter,
    unknownWindowMs: config.loginWindowMs,
    key: keys.shareToken,
    tokenLifeMs: config.shareTokenLifeMs,
    clock,
    maxPerUser: config.maxSharesPerUser,
    views: {
      presentResource: (resource) => presentResource({ ...resource, onListing }),
      sendRaw,
      archives: openTicketedArchives(sendArchive, clock.now),
      sendSubtitles,
      sendPreview: previews.send,
    },
  });
  registerSearch(app, { route, format: config.searchFormat, clock });
  app.addHook('preHandler', async ({ opened, audit }) => {
    if (opened?.authContext != null && audit.endpoint?.isAutomatic !== true) {
      catalogue.recordActivity();
      contents.recordActivity();
    }
  });
  app.addHook('onClose', async () => {
    // The search in contents uses the catalogue.
    await contents.close();
    await catalogue.close();
  });
  followChanges(events, {
    catalogue,
    clock,
    onFailure: (error) => parts.logger.debug({ err: error }, 'the catalogue could not follow a change'),
  });
  const targetOptions = { catalogue, globalRules: () => settings.current.rules };
  registerFind(app, {
    route,
    ...targetOptions,
    clock,
    marksOf: marks.byPlace,
    recentsOf: marks.used,
    views: { typeOf: listedTypeOf, formatModified },
  });
  registerContents(app, {
    route,
    ...targetOptions,
    contents,
    clock,
    marksOf: marks.byPlace,
    views: { typeOf: listedTypeOf, formatModified },
  });
  registerSpace(app, { route, ...targetOptions });
  registerMarks(app, {
    route,
    marks,
    repository: database.marks,
    clock,
    views: { typeOf: listedTypeOf, formatModified },
  });
  await openCommands(app, {
    route,
    events,
    settings,
    places: parts.places,
    options: config,
    baseUrl,
    clock,
  });
  await registerChecks(app, parts, { route, jobs, previews, isStopping: () => isStopping });
  serveWeb(app, {
    build: openWebBuild(options.webFolder),
    branding: openBranding(() => settings.current.branding.files.trim()),
    baseUrl,
    pageConfig: () => pageConfigOf(settings, config, options.signIn),
    captchaOrigins:
      options.signIn.recaptcha === null ? [] : captchaService(options.signIn.recaptcha.host).origins,
  });
  purgeExpired(app, sessions, { shares: database.shares, clock });
  const requestedRestorations = restoreForCommands({
    database,
    index: trash.index,
    storage,
    keepsDeleted: config.keepsDeleted,
    clock,
    log: app.log,
  });
  app.addHook('onReady', () => history.start());
  app.addHook('onReady', async () => marks.start());
  app.addHook('onClose', () => marks.close());
  app.addHook('onClose', async () => {
    await requestedRestorations.close();
    await Promise.all([spaceKeeper.close(), trash.close(), versions.close()]);
  });
  app.addHook('onClose', () => history.close());
  await app.ready();
  return app;
}
