import type { FastifyInstance } from 'fastify';
import type { ArchiveReader } from '../../archives/reading/open-archive.ts';
import { registerArchiveContents, registerArchives } from '../../archives/routes.ts';
import { rowOf } from '../../files/listing/entry-text.ts';
import type { ClaimedNames } from '../../files/move-entry.ts';
import { registerFiles } from '../../files/routes.ts';
import { openSaveContent } from '../../files/save-content.ts';
import { logCreatedFolder } from '../../history/undo-step.ts';
import { route } from '../../http/server/route.ts';
import type { RunningJobs } from '../../jobs/routes.ts';
import { currentListingVersion, registerLive } from '../../live/routes.ts';
import { registerPreviews } from '../../previews/routes.ts';
import { openKeptSpaceMeter } from '../../retention/open-kept-space-meter.ts';
import type { FolderUploads } from '../../uploads/folder-uploads.ts';
import { contentOfFile } from '../../versions/version-content.ts';
import type { AppParts } from './create-app.ts';
import type { FileViews } from './file-views.ts';
import type { Services } from './open-services.ts';

/** Registers the features that read and change files and folders: listings, contents, previews, archives and live changes. */
export function registerFileFeatures(
  app: FastifyInstance,
  { database, storage, clock, config }: AppParts,
  { events, history, marks, operations, settings, space, userContexts, versions }: Services,
  {
    views: { sendArchive, sendRaw, rootNameOf, previews, media, presentResource },
    claimed,
    archiveReader,
    folderUploads,
    jobs,
  }: {
    readonly views: FileViews;
    readonly claimed: ClaimedNames;
    readonly archiveReader: ArchiveReader;
    readonly folderUploads: FolderUploads;
    readonly jobs: RunningJobs;
  },
): void {
  registerArchives(app, { route, sendArchive, rootNameOf, now: clock.now });
  app.addHook('onClose', async () => previews.close());
  const saveContent = openSaveContent({ events, space, operations });
  const withVersion = contentOfFile(versions);
  registerPreviews(app, {
    route,
    sendPreview: previews.send,
    withVersion,
    media,
    saveContent,
  });
  registerArchiveContents(app, {
    route,
    reader: archiveReader,
    views: { presentResource, sendRaw, sendPreview: previews.send },
  });
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
    keeping: openKeptSpaceMeter(
      database.retention,
      (store) =>
        storage.usage(store).then(
          ({ fileSystem }) => fileSystem,
          () => null,
        ),
      clock,
      config.keepAtLeastMs,
    ),
    folderUploads,
    sendRaw,
    withVersion,
    onListing: previews.onListing,
    rootNameOf,
  });
}
