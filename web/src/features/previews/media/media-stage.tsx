import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatClock } from '../../../i18n/format.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import type { BackgroundPlayer, PlayPoint } from '../background-player.ts';
import { contentId } from '../loading/content-id.ts';
import { useFileAddresses } from '../file-addresses.ts';
import { MediaTools } from './media-tools.tsx';
import styles from './media-stage.module.css';
import { savePlayPosition, loadPlayPosition } from './play-position.ts';
import { seek, setRate, showSubtitle } from './player-keys.ts';
import { subtitleChoices } from './subtitle-label.ts';

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

/** The interval at which the position is saved while a recording plays. */
const saveIntervalMs = 5000;

/** Plays audio or video in the browser's player, with controls that it lacks. */
export function MediaStage(props: MediaStageProps) {
  const { kind, url, name, size, coverUrl, subtitles, isPlaying, onPlay, onBroken } = props;
  const { t } = useTranslation('previews');
  const { languageTag } = useLocale();
  const addresses = useFileAddresses();
  const defaultPlayer = useRef<HTMLMediaElement>(null);
  const player = props.playerRef ?? defaultPlayer;
  const [rate, setShownRate] = useState(1);
  const [resumedAt, setResumedAt] = useState(0);
  const [hasCover, setHasCover] = useState(coverUrl !== undefined);
  const savedMs = useRef(0);
  const id = contentId(url, size);
  const choices = useMemo(
    () => subtitleChoices(subtitles, name, languageTag),
    [subtitles, name, languageTag],
  );
  const [chosen, setChosen] = useState<VirtualPath | null>(null);
  // The first subtitles are shown until the user chooses.
  const [isChosen, setIsChosen] = useState(false);
  const active = isChosen ? chosen : (choices[0]?.path ?? null);
  const activeIndex = choices.findIndex(({ path }) => path === active);
  useEffect(() => {
    showSubtitle(player.current, activeIndex);
  }, [player, activeIndex]);

  // The small player ends before this one starts, so that a recording is never heard twice.
  const { backgroundPlayer, path } = props;
  const takenOver = useRef<PlayPoint | null>(null);
  useLayoutEffect(() => {
    takenOver.current = backgroundPlayer?.takeOver(path) ?? null;
    // Browsers refuse to play before the first input; then the button of the player remains.
    if (takenOver.current?.isPlaying) player.current?.play().catch(() => undefined);
  }, [backgroundPlayer, path, player]);

  const savePosition = (media: HTMLMediaElement) => savePlayPosition(id, media.currentTime, media.duration);
  useEffect(() => {
    const media = player.current;
    return () => {
      if (!media) return;
      if (media.played?.length > 0) savePlayPosition(id, media.currentTime, media.duration);
      // Without this, browsers continue to fetch a video that has been closed.
      media.pause();
      if (document.pictureInPictureElement === media) document.exitPictureInPicture().catch(() => undefined);
      media.removeAttribute('src');
      media.load();
    };
  }, [player, id]);

  const resume = (media: HTMLMediaElement) => {
    const point = takenOver.current;
    if (point) {
      seek(media, point.seconds);
      setRate(media, point.rate);
      return;
    }
    const seconds = loadPlayPosition(id);
    if (seconds === 0 || seconds >= media.duration) return;
    seek(media, seconds);
    setResumedAt(seconds);
  };
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
    controls: true,
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
      savePosition(currentTarget);
    },
    onLoadedMetadata: ({ currentTarget }: MediaEvent) => {
      resume(currentTarget);
      // Browsers also enable subtitles in the user's language.
      showSubtitle(currentTarget, activeIndex);
    },
    onTimeUpdate: ({ currentTarget }: MediaEvent) => {
      if (currentTarget.paused || Date.now() - savedMs.current < saveIntervalMs) return;
      savedMs.current = Date.now();
      savePosition(currentTarget);
    },
    onRateChange: ({ currentTarget }: MediaEvent) => setShownRate(currentTarget.playbackRate),
    onError: onBroken,
  };
  const startOver = () => {
    seek(player.current, 0);
    setResumedAt(0);
  };
  const tools = (
    <MediaTools
      player={player}
      isVideo={kind === 'video'}
      rate={rate}
      subtitles={choices}
      subtitle={active}
      onSubtitle={(path) => {
        setIsChosen(true);
        setChosen(path);
      }}
      onMinimize={props.onMinimize}
    />
  );
  const resumed = resumedAt > 0 && (
    <div className={styles.resumed} role="status">
      {t('player.resumed', { time: formatClock(resumedAt) })}
      <Button size="small" onClick={startOver}>
        {t('player.startOver')}
      </Button>
    </div>
  );
  if (kind === 'audio') {
    return (
      <div className={styles.stage}>
        <div className={styles.cover}>
          {hasCover ? (
            <img className={styles.picture} src={coverUrl} alt="" onError={() => setHasCover(false)} />
          ) : (
            <FileIcon kind="audio" size={96} />
          )}
        </div>
        <div className={styles.title}>
          <bdi>{displayName(name)}</bdi>
        </div>
        <audio ref={player as RefObject<HTMLAudioElement | null>} className={styles.audio} {...shared} />
        {resumed}
        {tools}
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
          {...shared}
        >
          {choices.map(({ path, label, language }) => (
            <track
              key={path}
              kind="subtitles"
              src={addresses.subtitle(path)}
              label={label}
              srcLang={language || undefined}
              default={path === choices[0]?.path}
            />
          ))}
        </video>
      </div>
      {resumed}
      {tools}
    </div>
  );
}
