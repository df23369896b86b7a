import { lazy, Suspense, useCallback, useSyncExternalStore, type ReactNode } from 'react';
import { Link } from '../../ui/navigation/router.tsx';
import type { Track } from '../../features/player/track.ts';
import { useSavedPlayer } from '../../features/player/use-saved-player.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { pagePlayer } from './page-player.ts';

const PlayerBar = lazy(async () => {
  const [{ PlayerBar }] = await Promise.all([
    import('../../features/player/player-bar.tsx'),
    loadTexts('player'),
  ]);
  return { default: PlayerBar };
});

const hasTracks = (): boolean => pagePlayer.track !== null;

/** The small player on every screen, while it has something to play. */
export function PlayerHost({ userId }: { userId: number }) {
  useSavedPlayer(pagePlayer, userId);
  const isOpen = useSyncExternalStore(pagePlayer.subscribe, hasTracks);
  const renderLink = useCallback(
    ({ path }: Track, title: ReactNode) => <Link to={fileAddress(path, false)}>{title}</Link>,
    [],
  );
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <PlayerBar player={pagePlayer} renderLink={renderLink} />
    </Suspense>
  );
}
