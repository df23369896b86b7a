import { Player, type PlayPositions } from '../../features/player/player.ts';
import type { Track } from '../../features/player/track.ts';
import type { BackgroundPlayer } from '../../features/previews/background-player.ts';
import { userAddresses } from '../../features/previews/file-addresses.ts';
import { contentId } from '../../features/previews/loading/content-id.ts';
import { loadPlayPosition, savePlayPosition } from '../../features/previews/media/play-position.ts';
import { mayHaveCover, type PreviewEntry } from '../../features/previews/preview-entry.ts';
import { pageConfig } from '../../api/page-config.ts';

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

/** Continues recordings of the previewer in the small player, and returns them to it. */
export const backgroundPlayer: BackgroundPlayer = {
  continueWith(entry, siblings, point) {
    const { type } = entry;
    if (type !== 'audio' && type !== 'video') return;
    const recordings = siblings.filter((one) => one.type === type && one.size > 0);
    const index = recordings.findIndex(({ path }) => path === entry.path);
    const queue = index < 0 ? [entry] : recordings;
    const tracks = queue.map((one) => trackOf(one, type));
    pagePlayer.open(tracks, Math.max(0, index), point);
  },
  takeOver(path) {
    if (pagePlayer.track?.path !== path) return null;
    const { seconds, rate, isPlaying } = pagePlayer.getSnapshot();
    pagePlayer.close();
    return { seconds, rate, isPlaying };
  },
  pause: () => pagePlayer.pause(),
};
