import { formatClock, formatPercent } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { PositionSlider } from '../../../ui/fields/position-slider.tsx';
import { Pause, Play, Volume2, VolumeX } from '../../../ui/icons.ts';
import styles from './media-stage.module.css';
import { MediaTools, type MediaToolsProps } from './media-tools.tsx';
import { seek, setVolume, toggleMuted, togglePlaying } from './player-keys.ts';
import { useMediaState } from './use-media-state.ts';

/** The controls of audio: its position, and play, volume and the other tools. */
export function SoundControls(props: MediaToolsProps) {
  const { player } = props;
  const { t } = useTranslation(['player', 'previews']);
  const { isPlaying, seconds, duration, isMuted, volume } = useMediaState(player);
  const at = Math.min(seconds, duration || seconds);
  const change = (action: (media: HTMLMediaElement) => void) => () => {
    if (player.current) action(player.current);
  };
  return (
    <>
      <div className={styles.position}>
        <span aria-hidden="true">{formatClock(at)}</span>
        <PositionSlider
          label={t('position')}
          valueText={t('positionValue', { time: formatClock(at), duration: formatClock(duration) })}
          value={at}
          max={duration}
          onChange={(chosen) => seek(player.current, chosen)}
        />
        <span aria-hidden="true">{duration > 0 ? formatClock(duration) : ''}</span>
      </div>
      <MediaTools
        {...props}
        play={
          <IconButton
            className={styles.play}
            label={t(isPlaying ? 'pause' : 'play')}
            shortcut="K"
            icon={isPlaying ? <Pause /> : <Play />}
            onClick={change(togglePlaying)}
          />
        }
        volume={
          <div className={styles.volume}>
            <IconButton
              label={t('mute')}
              shortcut="M"
              icon={isMuted ? <VolumeX /> : <Volume2 />}
              isPressed={isMuted}
              onClick={change(toggleMuted)}
            />
            <PositionSlider
              label={t('previews:player.volume')}
              valueText={formatPercent(isMuted ? 0 : volume)}
              value={isMuted ? 0 : volume}
              max={1}
              step={0.05}
              onChange={(chosen) => setVolume(player.current, chosen)}
            />
          </div>
        }
      />
    </>
  );
}
