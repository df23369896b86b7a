import type { EntryType } from '@filestead/contract/files';
import { extensionOf, nameOf, parsePath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { UserContext } from '../../access/user-context.ts';
import { archiveName } from '../../archives/plan-archive.ts';
import { archiveSender } from '../../archives/send-archive.ts';
import { listedTypeIndex, typeAt } from '../../files/listing/entry-type.ts';
import { formatModified } from '../../format-time.ts';
import { presentResource } from '../../files/listing/present-resource.ts';
import { rawSender } from '../../files/send-raw.ts';
import { openMedia } from '../../previews/metadata/list-media.ts';
import { openPreviews } from '../../previews/open-previews.ts';
import type { EntryKind } from '../../storage/storage.ts';
import type { AppParts } from './create-app.ts';

/** Returns the type of an entry in a listing. */
const typeOf = (kind: EntryKind, name: string, size: number): EntryType =>
  typeAt(listedTypeIndex(kind, extensionOf(name), size));

/** How features show entries in lists. */
export const entryViews = { typeOf, formatModified };

/** How features send files and folders, the same for all of them. */
export type FileViews = ReturnType<typeof openFileViews>;

/** Opens the functions with which features send files and folders. */
export function openFileViews({ clock, config, options }: AppParts, log: FastifyBaseLogger) {
  const sendArchive = archiveSender(config.maxArchives);
  const previews = openPreviews({ ...config, cacheFolder: options.previewFolder }, clock, {
    onTrouble: (error) => log.warn({ err: error }, 'a preview could not be stored in the cache'),
    onMissing: (text) => log.warn(text),
  });
  return {
    sendArchive,
    sendRaw: rawSender({ archiveName, sendArchive }),
    rootNameOf: ({ user }: UserContext): string => nameOf(parsePath(user.scope).path) || options.rootName,
    previews,
    media: openMedia(clock),
    presentResource,
  };
}
