import type { VirtualPath } from '@filestead/contract/virtual-path';
import { useTranslation } from 'react-i18next';
import { rawUrl } from '../../api/urls.ts';
import { formatNumber } from '../../i18n/format.ts';
import { FileIcon } from '../../ui/file-icon.tsx';
import styles from './media-stage.module.css';

interface MediaStageProps {
  kind: 'audio' | 'video';
  url: string;
  name: string;
  /** Subtitle files in WebVTT beside a video. */
  subtitles: readonly VirtualPath[];
  /** The user was listening or watching when the last one gave way to this one. */
  isPlaying: boolean;
  onPlay: (isPlaying: boolean) => void;
  onBroken: () => void;
}

/** Sound or film in the browser's own player. */
export function MediaStage(props: MediaStageProps) {
  const { kind, url, name, subtitles, isPlaying, onPlay, onBroken } = props;
  const { t } = useTranslation('previews');
  const shared = {
    src: url,
    controls: true,
    preload: 'metadata',
    autoPlay: isPlaying,
    'aria-label': name,
    onPlay: () => onPlay(true),
    // At its end a recording pauses too; then the next one shall play on.
    onPause: (event: { currentTarget: HTMLMediaElement }) => onPlay(event.currentTarget.ended),
    onError: onBroken,
  };
  if (kind === 'audio') {
    return (
      <div className={styles.stage}>
        <div className={styles.cover}>
          <FileIcon kind="audio" size={96} />
        </div>
        <div className={styles.title}>
          <bdi>{name}</bdi>
        </div>
        <audio className={styles.audio} {...shared} />
      </div>
    );
  }
  return (
    <div className={styles.stage}>
      <video className={styles.video} playsInline {...shared}>
        {subtitles.map((path, index) => (
          <track
            key={path}
            kind="captions"
            src={rawUrl(path, { inline: true })}
            label={t('subtitle', { number: formatNumber(index + 1) })}
            default={index === 0}
          />
        ))}
      </video>
    </div>
  );
}
