import { useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import { formatClock } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { PositionSlider } from '../../ui/fields/position-slider.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Pause, Play, SkipBack, SkipForward, Volume2, VolumeX, X } from '../../ui/icons.ts';
import { areSingleKeysOn } from '../../ui/keyboard/single-keys.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import styles from './player-bar.module.css';
import type { Player, PlayerState } from './player.ts';
import type { Track } from './track.ts';
import { useMediaSession } from './use-media-session.ts';
import { useTags } from './use-tags.ts';

interface PlayerBarProps {
  player: Player;
  /** Renders the link to the recording in the previewer, around its title. */
  renderLink: (track: Track, title: ReactNode) => ReactNode;
}

/** The time that an arrow key skips, in seconds. */
const skipSeconds = 5;

/**
 * The small player at the bottom of the page: cover, title, position and buttons. Nothing while the player is closed. On phones its title
 * leads to the previewer, in which the position can be changed.
 */
export function PlayerBar({ player, renderLink }: PlayerBarProps) {
  const state = useSyncExternalStore(player.subscribe, player.getSnapshot);
  const track = state.tracks[state.index];
  useReservedSpace();
  if (!track) return null;
  return <OpenPlayer player={player} state={state} track={track} renderLink={renderLink} />;
}

/** Makes room for the bar below the content, so that it covers nothing (`--player-height` in tokens.css). */
function useReservedSpace(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset['player'] = '';
    return () => {
      delete dataset['player'];
    };
  }, []);
}

/** Returns a name without its extension. */
const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]{1,5}$/u, '');

function OpenPlayer({
  player,
  state,
  track,
  renderLink,
}: PlayerBarProps & { state: PlayerState; track: Track }) {
  const { t } = useTranslation('player');
  const isPhone = useIsPhone();
  const tags = useTags(track.path);
  const title = tags.title ?? displayName(stemOf(track.name));
  useMediaSession(player, track, title, tags);
  const keys = usePlayerKeys(player);
  const note = [tags.artist, tags.album].filter(Boolean).join(' · ');
  return (
    <section className={styles.bar} aria-label={t('label')} ref={keys}>
      <Cover key={track.coverUrl ?? track.path} player={player} track={track} />
      <div className={styles.texts}>
        <div className={styles.title}>{renderLink(track, <bdi>{title}</bdi>)}</div>
        <div className={styles.note} role="status">
          {state.hasFailed ? (
            <span className={styles.failure}>{t('failed')}</span>
          ) : (
            <bdi>{note || displayName(track.name)}</bdi>
          )}
        </div>
      </div>
      <div className={styles.buttons}>
        {!isPhone && (
          <IconButton
            label={t('previous')}
            shortcut="P"
            icon={<SkipBack />}
            onClick={() => player.previous()}
          />
        )}
        <IconButton
          className={styles.play}
          label={t(state.isPlaying ? 'pause' : 'play')}
          shortcut="K"
          icon={state.isPlaying ? <Pause /> : <Play />}
          onClick={() => player.toggle()}
        />
        <IconButton
          label={t('next')}
          shortcut="N"
          icon={<SkipForward />}
          isDisabled={!player.hasNext}
          onClick={() => player.next()}
        />
      </div>
      {isPhone ? <PositionLine state={state} /> : <Position player={player} state={state} />}
      {!isPhone && (
        <IconButton
          label={t('mute')}
          shortcut="M"
          icon={state.isMuted ? <VolumeX /> : <Volume2 />}
          isPressed={state.isMuted}
          onClick={() => player.setMuted(!state.isMuted)}
        />
      )}
      <IconButton label={t('close')} icon={<X />} onClick={() => player.close()} />
    </section>
  );
}

/** The video itself, the cover of a recording, or its icon. */
function Cover({ player, track }: { player: Player; track: Track }) {
  const [hasCover, setHasCover] = useState(track.coverUrl !== null);
  if (track.kind === 'video') {
    return (
      <div
        className={styles.cover}
        ref={(box) => {
          if (!box) return undefined;
          const { isPlaying } = player.getSnapshot();
          box.append(player.media);
          // Browsers pause an element that is moved in the document.
          if (isPlaying) player.play();
          return () => player.media.remove();
        }}
      />
    );
  }
  return (
    <div className={styles.cover}>
      {hasCover && track.coverUrl !== null ? (
        <img src={track.coverUrl} alt="" draggable={false} onError={() => setHasCover(false)} />
      ) : (
        <FileIcon kind="audio" size={32} />
      )}
    </div>
  );
}

/** The position in the recording, as a slider between the time that has passed and the whole length. */
function Position({ player, state: { seconds, duration } }: { player: Player; state: PlayerState }) {
  const { t } = useTranslation('player');
  const end = Math.max(duration, 0);
  const at = Math.min(seconds, end || seconds);
  return (
    <div className={styles.position}>
      <span className={styles.time} aria-hidden="true">
        {formatClock(at)}
      </span>
      <PositionSlider
        label={t('position')}
        valueText={t('positionValue', { time: formatClock(at), duration: formatClock(end) })}
        value={at}
        max={end}
        onChange={(chosen) => player.seek(chosen)}
      />
      <span className={styles.time} aria-hidden="true">
        {end > 0 ? formatClock(end) : ''}
      </span>
    </div>
  );
}

/** The position as a line at the upper edge, for phones: a slider there would take touches that are meant for the list above it. */
function PositionLine({ state: { seconds, duration } }: { state: PlayerState }) {
  return (
    <progress
      className={styles.line}
      max={1}
      value={duration > 0 ? seconds / duration : 0}
      aria-hidden="true"
    />
  );
}

/** Returns a reference for the bar, whose keys control the player. */
function usePlayerKeys(player: Player): (bar: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (bar) => {
      if (!bar) return undefined;
      const onKeyDown = (event: KeyboardEvent) => {
        const action = actionOfKey(event, player);
        if (!action) return;
        event.preventDefault();
        action();
      };
      bar.addEventListener('keydown', onKeyDown);
      return () => bar.removeEventListener('keydown', onKeyDown);
    },
    [player],
  );
}

/** Returns the action of a key that is pressed in the bar; null for keys of the focused control. */
function actionOfKey(event: KeyboardEvent, player: Player): (() => void) | null {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return null;
  const isSlider = target instanceof HTMLInputElement;
  if (key === ' ') return isSlider ? () => player.toggle() : null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const seconds = key === 'ArrowLeft' ? -skipSeconds : skipSeconds;
    return () => player.seek(player.media.currentTime + seconds);
  }
  if (!areSingleKeysOn()) return null;
  switch (key.toLowerCase()) {
    case 'k':
      return () => player.toggle();
    case 'm':
      return () => player.setMuted(!player.getSnapshot().isMuted);
    case 'n':
      return () => player.next();
    case 'p':
      return () => player.previous();
    default:
      return null;
  }
}
