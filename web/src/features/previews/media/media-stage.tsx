import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatClock } from '../../../i18n/format.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import type { BackgroundPlayer } from '../background-player.ts';
import { contentId } from '../loading/content-id.ts';
import { useFileAddresses } from '../file-addresses.ts';
import { MediaTools } from './media-tools.tsx';
import { SoundControls } from './sound-controls.tsx';
import styles from './media-stage.module.css';
import { showSubtitle } from './player-keys.ts';
import { usePlayPosition } from './use-play-position.ts';
import { useSubtitles } from './use-subtitles.ts';

export interface MediaStageProps {
  path: VirtualPath;
  kind: 'audio' | 'video';
  url: string;
  name: string;
  /** The size of the file in bytes. */
  size: number;
  /** The address of a cover, if the file may have one. */
  coverUrl?: string | undefined;
  /** The subtitle files of a video. */
  subtitles: readonly VirtualPath[];
  /** Receives the player element, for the keys of the previewer. */
  playerRef?: RefObject<HTMLMediaElement | null> | undefined;
  /** Whether the previous recording was playing when the user moved on to this one. */
  isPlaying: boolean;
  onPlay: (isPlaying: boolean) => void;
  onBroken: () => void;
  /** Absent where nothing is played outside the previewer. */
  backgroundPlayer?: BackgroundPlayer | undefined;
  /** Closes the previewer and continues in the background player. Absent without one. */
  onMinimize?: (() => void) | undefined;
}

/** Plays audio with controls of its own, or video in the browser's player with controls that it lacks. */
export function MediaStage(props: MediaStageProps) {
  const { path, kind, url, name, size, coverUrl, isPlaying, onPlay, onBroken, backgroundPlayer } = props;
  const { t } = useTranslation('previews');
  const addresses = useFileAddresses();
  const defaultPlayer = useRef<HTMLMediaElement>(null);
  const player = props.playerRef ?? defaultPlayer;
  const [rate, setRate] = useState(1);
  const subtitles = useSubtitles(player, props.subtitles, name);
  const position = usePlayPosition({ player, id: contentId(url, size), path, backgroundPlayer });
  // Events that fired before React attached its listeners are dispatched again.
  useEffect(() => {
    const media = player.current;
    if (media?.error) media.dispatchEvent(new Event('error'));
    else if (media && media.readyState >= media.HAVE_METADATA)
      media.dispatchEvent(new Event('loadedmetadata'));
  }, [player]);

  type MediaEvent = SyntheticEvent<HTMLMediaElement>;
  const shared = {
    src: url,
    preload: 'metadata',
    autoPlay: isPlaying,
    'aria-label': name,
    onPlay: () => {
      backgroundPlayer?.pause();
      onPlay(true);
    },
    // A recording also pauses at its end; then the next one starts playing.
    onPause: ({ currentTarget }: MediaEvent) => {
      onPlay(currentTarget.ended);
      position.save(currentTarget);
    },
    onLoadedMetadata: ({ currentTarget }: MediaEvent) => {
      position.resume(currentTarget);
      // Browsers also enable subtitles in the user's language.
      showSubtitle(currentTarget, subtitles.activeIndex);
    },
    onTimeUpdate: ({ currentTarget }: MediaEvent) => position.saveWhilePlaying(currentTarget),
    onRateChange: ({ currentTarget }: MediaEvent) => setRate(currentTarget.playbackRate),
    onError: onBroken,
  };
  const tools = {
    player,
    isVideo: kind === 'video',
    rate,
    subtitles: subtitles.choices,
    subtitle: subtitles.active,
    onSubtitle: subtitles.choose,
    onMinimize: props.onMinimize,
  };
  const resumed = position.resumedAt > 0 && (
    <div className={styles.resumed} role="status">
      {t('player.resumed', { time: formatClock(position.resumedAt) })}
      <Button size="small" onClick={position.startOver}>
        {t('player.startOver')}
      </Button>
    </div>
  );
  if (kind === 'audio') {
    return (
      <div className={styles.stage}>
        <Cover url={coverUrl} />
        <div className={styles.title}>
          <bdi>{displayName(name)}</bdi>
        </div>
        <audio ref={player as RefObject<HTMLAudioElement | null>} {...shared} />
        {resumed}
        <SoundControls {...tools} />
      </div>
    );
  }
  return (
    <div className={styles.stage}>
      <div className={styles.screen}>
        <video
          ref={player as RefObject<HTMLVideoElement | null>}
          className={styles.video}
          playsInline
          controls
          {...shared}
        >
          {subtitles.choices.map((choice, index) => (
            <track
              key={choice.path}
              kind="subtitles"
              src={addresses.subtitle(choice.path)}
              label={choice.label}
              srcLang={choice.language || undefined}
              default={index === 0}
            />
          ))}
        </video>
      </div>
      {resumed}
      <MediaTools {...tools} />
    </div>
  );
}

/** The cover of an audio file, or its icon without one. */
function Cover({ url }: { url: string | undefined }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <div className={styles.cover}>
      {url !== undefined && !isBroken ? (
        <img className={styles.picture} src={url} alt="" onError={() => setBroken(true)} />
      ) : (
        <FileIcon kind="audio" size={96} />
      )}
    </div>
  );
}
