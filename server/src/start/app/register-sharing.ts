import type { FastifyInstance } from 'fastify';
import { openTicketedArchives } from '../../archives/ticketed-archives.ts';
import { sendSubtitles } from '../../files/subtitles/send-subtitles.ts';
import { leftStateOf } from '../../history/left-state.ts';
import { logShare } from '../../history/undo-step.ts';
import { route } from '../../http/server/route.ts';
import { registerShares } from '../../shares/routes.ts';
import type { AppParts } from './create-app.ts';
import { entryViews, type FileViews } from './file-views.ts';
import type { Services } from './open-services.ts';

/** Registers the shares, whose visitors see files as their owners do. */
export function registerSharing(
  app: FastifyInstance,
  { database, clock, config }: AppParts,
  { history, keys, limiter, operations, shareSync, userContexts }: Services,
  { sendArchive, sendRaw, previews, media, presentResource }: FileViews,
): void {
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
      presentResource: (resource) => presentResource({ ...resource, onListing: previews.onListing }),
      sendRaw,
      archives: openTicketedArchives(sendArchive, clock.now),
      sendSubtitles,
      sendPreview: previews.send,
      listMedia: media.list,
      ...entryViews,
    },
  });
}
