import { openAttemptLimiter } from '../../access/sign-in/attempt-limiter.ts';
import { openUserContexts } from '../../access/user-contexts.ts';
import { openCatalogue } from '../../catalogue/open-catalogue.ts';
import { openContents, searchesContents } from '../../contents/open-contents.ts';
import { openFileEvents } from '../../access/file-events.ts';
import { openGlobalSettings } from '../../access/global-settings.ts';
import { nameKeyFor } from '../../access/keeping/kept-entry.ts';
import { openOperations } from '../../access/open-operations.ts';
import { openExternalChanges } from '../../access/external-changes.ts';
import { openServerKeys } from '../../access/server-keys.ts';
import { createUploadSpace } from '../../access/upload-space.ts';
import { RunningRequests } from '../../http/server/running-requests.ts';
import { openHistory } from '../../history/history.ts';
import { openMarks } from '../../marks/open-marks.ts';
import { openSessions } from '../../sessions/sessions.ts';
import { openShareSync } from '../../shares/sync-shares-with-files.ts';
import { openSpaceKeeper } from '../../retention/open-space-keeper.ts';
import { openTrash } from '../../trash/trash.ts';
import { openThinning, thin } from '../../versions/thinning.ts';
import { openVersions } from '../../versions/versions.ts';
import type { AppParts } from './create-app.ts';

/** The time for which the previous token remains valid after a renewal, for other tabs. */
const renewalOverlapMs = 60_000;

/**
 * Opens the services of the features, which exist once per server, and connects them: each is notified of the changes that concern
 * it.
 */
export async function openServices(parts: AppParts) {
  const { database, storage, clock, config, options } = parts;
  const attemptLimits = {
    perName: config.loginAttemptsPerName,
    perAddress: config.loginAttemptsPerAddress,
    windowMs: config.loginWindowMs,
  };
  const settings = await openGlobalSettings(database.settings, config.minimumPasswordLength);
  const runningRequests = new RunningRequests(clock);
  const userContexts = openUserContexts({
    users: database.users,
    settings,
    storage,
    readExternalChanges: () => readExternalChanges(),
    clock,
    onChange: () => runningRequests.permissionsChanged(),
  });
  const limiter = openAttemptLimiter(attemptLimits, {
    clock,
    addressesOf: (account) => database.sessions.addressesOf(account, clock.now()),
  });
  const events = openFileEvents();
  const history = openHistory({
    database,
    storage,
    userContexts,
    events,
    nameKeyFor,
    keepsDeleted: config.keepsDeleted,
    clock,
    log: parts.logger,
  });
  const space = createUploadSpace(config.maxUploadBytes, (request) => spaceKeeper.makeRoom(request));
  const shareSync = openShareSync(database.shares, userContexts, parts.logger);
  // Precedes the listener of the trash: a deletion that is in its index has ended the shares.
  events.subscribe(shareSync.listener);
  const trash = openTrash({
    database,
    storage,
    userContexts,
    settings,
    events,
    purgeDelayMs: config.purgeDelayMs,
    onUnrecorded: shareSync.endDeleted,
    beforeRecording: shareSync.flush,
    otherExpiry: [openThinning(database.versions, () => settings.current.versionDays)],
    clock,
    log: parts.logger,
  });
  history.recordChanges();
  const catalogue = openCatalogue({
    scan: parts.scan,
    options: config,
    rules: options.excludedPaths.join('\n'),
    clock,
    log: parts.logger,
    onMarked: (folder, names) => marks.finder.changed(folder, names),
    ...(searchesContents(config) && {
      onChanged: (folders) => contents.changed(folders),
      onMoved: (from, to) => contents.moved(from, to),
    }),
  });
  const contents = openContents({ catalogue, storage, options: config, clock, log: parts.logger });
  const marks = openMarks({
    repository: database.marks,
    storage,
    userContexts,
    events,
    nameKeyFor,
    clock,
    log: parts.logger,
    onInodes: (inodes) => catalogue.reportInodes(inodes),
  });
  const spaceKeeper = openSpaceKeeper({
    database,
    storage,
    purge: () => trash.worker.run(),
    thin,
    rules: () => ({
      trashDays: settings.current.trashDays,
      versionDays: settings.current.versionDays,
      keepAtLeastMs: config.keepAtLeastMs,
    }),
    keptSize: () => settings.current.keptSize,
    clock,
    log: parts.logger,
  });
  trash.retention.relieveWith(spaceKeeper);
  const operations = openOperations(config, clock);
  const versions = openVersions({
    repository: database.versions,
    storage,
    userContexts,
    events,
    whileRestoring: (id, work) => trash.index.whileRestoring(id, work),
    schedulePurge: (time) => trash.worker.schedule(time),
    clock,
    log: parts.logger,
  });
  const keys = await openServerKeys(database.settings);
  const sessions = openSessions({
    repository: database.sessions,
    userContexts,
    key: keys.token,
    times: {
      tokenLifeMs: config.tokenLifeMs,
      idleMs: config.sessionIdleMs,
      absoluteMs: config.sessionAbsoluteMs,
      overlapMs: renewalOverlapMs,
    },
    maxPerUser: config.maxSessionsPerUser,
    clock,
    onEnd: () => runningRequests.permissionsChanged(),
    onNotStored: (error) =>
      parts.logger.warn({ err: error }, 'the last use of a session could not be stored'),
  });
  settings.onChange(() => runningRequests.permissionsChanged());

  const readExternalChanges = openExternalChanges({
    wasChanged: () => database.wasChangedElsewhere(),
    refresh: async () => {
      userContexts.forgetAll();
      sessions.clearCache();
      await settings.reload();
      await keys.reload();
      await trash.refresh();
    },
  });
  return {
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
  };
}

/** The services of the features. */
export type Services = Awaited<ReturnType<typeof openServices>>;
