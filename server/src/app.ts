import type { FastifyInstance } from 'fastify';
import { openArchiveReader } from './archives/reading/open-archive.ts';
import { openCommands } from './commands/open-commands.ts';
import { captchaService } from './config/captcha-service.ts';
import type { ClaimedNames } from './files/move-entry.ts';
import { openBranding } from './http/page/branding.ts';
import { serveWeb } from './http/page/serve-web.ts';
import { openWebBuild } from './http/page/web-build.ts';
import { handleUnreadBodies } from './http/request/unread-body.ts';
import { handleErrors } from './http/response/error-handler.ts';
import { logRequests } from './http/server/log-request.ts';
import { prepareRoutes, route } from './http/server/route.ts';
import { isIndependentCheck } from './operations/routes.ts';
import { type AppParts, createApp } from './start/app/create-app.ts';
import { openFileViews } from './start/app/file-views.ts';
import { openServices, type Services } from './start/app/open-services.ts';
import { pageConfigOf } from './start/app/page-config.ts';
import { purgeExpired } from './start/app/purge-expired.ts';
import { registerAccounts } from './start/app/register-accounts.ts';
import { registerChecks } from './start/app/register-checks.ts';
import { registerFileFeatures } from './start/app/register-file-features.ts';
import { registerJobsAndUndo } from './start/app/register-jobs-and-undo.ts';
import { registerKeptEntries } from './start/app/register-kept-entries.ts';
import { registerResumableUploads } from './start/app/register-resumable-uploads.ts';
import { registerSearchAndMarks } from './start/app/register-search-and-marks.ts';
import { registerSharing } from './start/app/register-sharing.ts';
import { restoreForCommands } from './start/app/restore-for-commands.ts';
import { completeKeptIndex } from './trash/complete-kept-index.ts';
import type { RequestedRestorations } from './trash/requested-restorations.ts';

/**
 * Completes the index of kept entries when the server starts, and then starts the features that use it. Must be called
 * before the jobs are registered, which continue when the server listens.
 */
function startKeeping(
  app: FastifyInstance,
  { shareSync, spaceKeeper, trash, versions }: Services,
  requestedRestorations: RequestedRestorations,
): void {
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
}

/** Starts the history and the marks when the server is ready, and closes the services with it. */
function startServices(
  app: FastifyInstance,
  { history, marks, spaceKeeper, trash, versions }: Services,
  requestedRestorations: RequestedRestorations,
): void {
  app.addHook('onReady', () => history.start());
  app.addHook('onReady', async () => marks.start());
  app.addHook('onClose', () => marks.close());
  app.addHook('onClose', async () => {
    await requestedRestorations.close();
    await Promise.all([spaceKeeper.close(), trash.close(), versions.close()]);
  });
  app.addHook('onClose', () => history.close());
}

/**
 * Connects the features and returns a server that is ready to listen. Closing it leaves the database and the
 * storage open.
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, storage, clock, config, options } = parts;
  const { baseUrl } = config;
  const services = await openServices(parts);
  const { events, readExternalChanges, runningRequests, sessions, settings, trash } = services;
  const app = createApp(parts);
  app.addHook('onRequest', async ({ routeOptions: { url } }) => {
    if (!isIndependentCheck(url)) await readExternalChanges();
  });
  const requestedRestorations = restoreForCommands({
    database,
    index: trash.index,
    storage,
    keepsDeleted: config.keepsDeleted,
    clock,
    log: app.log,
  });
  startKeeping(app, services, requestedRestorations);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  handleErrors(app);
  logRequests(app);
  handleUnreadBodies(app);
  prepareRoutes(app, sessions, runningRequests, config);

  registerAccounts(app, {
    ...services,
    database,
    storage,
    letterCase: parts.letterCase,
    now: clock.now,
    config,
    signIn: options.signIn,
    onPasswordReplaced: options.onPasswordReplaced,
  });
  const claimed: ClaimedNames = new Set();
  const archiveReader = openArchiveReader();
  const views = openFileViews(parts, app.log);
  const folderUploads = await registerResumableUploads(app, parts, services);
  const jobs = await registerJobsAndUndo(app, parts, services, { claimed, archiveReader });
  registerFileFeatures(app, parts, services, { views, claimed, archiveReader, folderUploads, jobs });
  registerKeptEntries(app, parts, services, { views, jobs });
  registerSharing(app, parts, services, views);
  registerSearchAndMarks(app, parts, services);
  await openCommands(app, {
    route,
    events,
    settings,
    places: parts.places,
    options: config,
    baseUrl,
    clock,
  });
  await registerChecks(app, parts, { route, jobs, previews: views.previews, isStopping: () => isStopping });
  serveWeb(app, {
    build: openWebBuild(options.webFolder),
    branding: openBranding(() => settings.current.branding.files.trim()),
    baseUrl,
    pageConfig: () => pageConfigOf(settings, config, options.signIn),
    captchaOrigins:
      options.signIn.recaptcha === null ? [] : captchaService(options.signIn.recaptcha.host).origins,
  });
  purgeExpired(app, sessions, { shares: database.shares, clock });
  startServices(app, services, requestedRestorations);
  await app.ready();
  return app;
}
