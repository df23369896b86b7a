import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { FastForward, Minimize2, PictureInPicture2, Rewind } from '../../../ui/icons.ts';
import { Select } from '../../../ui/fields/select.tsx';
import styles from './media-stage.module.css';
import { playbackRates, setRate, skip, skipSeconds } from './player-keys.ts';
import type { SubtitleChoice } from './subtitle-label.ts';

export interface MediaToolsProps {
  player: RefObject<HTMLMediaElement | null>;
  isVideo: boolean;
  /** The playback rate; 1 is the recorded speed. */
  rate: number;
  subtitles: readonly SubtitleChoice[];
  /** Null when no subtitles are shown. */
  subtitle: VirtualPath | null;
  onSubtitle: (path: VirtualPath | null) => void;
  /** Continues in the small player of the page. Absent without one. */
  onMinimize: (() => void) | undefined;
  /** The button that plays, between those that skip. Absent where the player has its own. */
  play?: ReactNode;
  volume?: ReactNode;
}

/** Controls that browser players lack or hide: skipping, speed, subtitles by name, picture-in-picture. */
export function MediaTools(props: MediaToolsProps) {
  const { player, isVideo, rate, subtitles, subtitle, onSubtitle, onMinimize } = props;
  const { t } = useTranslation('previews');
  const hasPictureInPicture = isVideo && document.pictureInPictureEnabled === true;
  const togglePictureInPicture = () => {
    const media = player.current;
    if (!(media instanceof HTMLVideoElement)) return;
    const change: Promise<unknown> =
      document.pictureInPictureElement === media
        ? document.exitPictureInPicture()
        : media.requestPictureInPicture();
    change.catch(() => undefined);
  };
  const skipBy = (seconds: number) => () => {
    if (player.current) skip(player.current, seconds);
  };
  return (
    <div className={styles.tools} role="group" aria-label={t('player.tools')}>
      <div className={styles.skips}>
        <IconButton
          label={t('player.back', { count: skipSeconds, number: formatNumber(skipSeconds) })}
          icon={<Rewind />}
          onClick={skipBy(-skipSeconds)}
        />
        {props.play}
        <IconButton
          label={t('player.forward', { count: skipSeconds, number: formatNumber(skipSeconds) })}
          icon={<FastForward />}
          onClick={skipBy(skipSeconds)}
        />
      </div>
      {props.volume}
      <div className={styles.choice}>
        <Select
          label={t('player.speed')}
          isLabelHidden
          value={String(rate)}
          onChange={(chosen) => {
            setRate(player.current, Number(chosen));
          }}
          options={playbackRates.map((playbackRate) => ({
            value: String(playbackRate),
            label:
              playbackRate === 1
                ? t('player.normalSpeed')
                : t('player.rate', { number: formatNumber(playbackRate) }),
          }))}
        />
      </div>
      {subtitles.length > 0 && (
        <div className={styles.choice}>
          <Select
            label={t('player.subtitles')}
            isLabelHidden
            value={subtitle ?? ''}
            onChange={(chosen) => onSubtitle(subtitles.find(({ path }) => path === chosen)?.path ?? null)}
            options={[
              { value: '', label: t('player.noSubtitles') },
              ...subtitles.map(({ path, label }) => ({ value: path as string, label })),
            ]}
          />
        </div>
      )}
      {hasPictureInPicture && (
        <IconButton label={t('player.float')} icon={<PictureInPicture2 />} onClick={togglePictureInPicture} />
      )}
      {onMinimize && (
        <IconButton label={t('player.minimize')} shortcut="B" icon={<Minimize2 />} onClick={onMinimize} />
      )}
    </div>
  );
}
