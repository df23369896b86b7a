import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { FolderSession } from '../../features/files/folder/folder-session.ts';
import { Player, type PlayPositions } from '../../features/player/player.ts';
import type { Track } from '../../features/player/track.ts';
import type { BackgroundPlayer } from '../../features/previews/background-player.ts';
import { userAddresses } from '../../features/previews/file-addresses.ts';
import { contentId } from '../../features/previews/loading/content-id.ts';
import { loadPlayPosition, savePlayPosition } from '../../features/previews/media/play-position.ts';
import { mayHaveCover, type PreviewEntry } from '../../features/previews/preview-entry.ts';
import { pageConfig } from '../../api/page-config.ts';
import { siblingsOf } from '../files/siblings-of.ts';

const positionId = ({ url, size }: Track): string => contentId(url, size);

/** The previewer and the player continue a recording at the same position. */
const positions: PlayPositions = {
  load: (track) => loadPlayPosition(positionId(track)),
  save: (track, seconds, duration) => savePlayPosition(positionId(track), seconds, duration),
};

/** The small player of this page. */
export const pagePlayer = new Player(positions);

function trackOf(entry: PreviewEntry, kind: Track['kind']): Track {
  const hasCover = pageConfig.EnableThumbs && (kind === 'video' || mayHaveCover(entry));
  return {
    path: entry.path,
    name: entry.name,
    kind,
    size: entry.size,
    url: userAddresses.original(entry.path, entry.modifiedMs),
    coverUrl: hasCover ? userAddresses.picture(entry, 'medium') : null,
  };
}

function tracksOf(type: Track['kind'], siblings: readonly PreviewEntry[]): Track[] {
  return siblings.filter((one) => one.type === type && one.size > 0).map((one) => trackOf(one, type));
}

/** Loads the folder that was left before its listing was complete, and adds its recordings to the one that plays. */
async function addSiblings(folder: VirtualPath, type: Track['kind']): Promise<void> {
  const session = new FolderSession(folder);
  await session.reload();
  session.stop();
  pagePlayer.setTracks(tracksOf(type, siblingsOf(session)));
}

/** Continues recordings of a folder's previewer in the small player, and returns them to it. */
export const backgroundPlayerOf = (session: FolderSession): BackgroundPlayer => ({
  continueWith(entry, siblings, point) {
    const { type } = entry;
    if (type !== 'audio' && type !== 'video') return;
    const listed = tracksOf(type, siblings);
    const index = listed.findIndex(({ path }) => path === entry.path);
    pagePlayer.open(index < 0 ? [trackOf(entry, type)] : listed, Math.max(0, index), point);
    if (session.isFolder && session.model.phase !== 'ready') void addSiblings(session.path, type);
  },
  takeOver(path) {
    if (pagePlayer.track?.path !== path) return null;
    const { seconds, rate, isPlaying } = pagePlayer.getSnapshot();
    pagePlayer.close();
    return { seconds, rate, isPlaying };
  },
  pause: () => pagePlayer.pause(),
});
