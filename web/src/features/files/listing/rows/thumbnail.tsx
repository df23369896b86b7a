import { useState, useSyncExternalStore } from 'react';
import styles from '../entry.module.css';
import type { ScrollPace } from '../dragging/scroll-pace.ts';

/**
 * Addresses without a picture, which are requested once per session. The number is limited, since a folder may
 * contain 100,000.
 */
const failed = new Set<string>();
const maxFailed = 2000;

function rememberFailure(url: string): void {
  if (failed.size >= maxFailed) failed.clear();
  failed.add(url);
}

/**
 * The number of failed video thumbnails, without a successful one, after which no more are requested: the server
 * lacks the necessary program.
 */
const maxVideoFailures = 2;
const videos = { shown: 0, failed: 0 };
const canRequestVideos = (): boolean => videos.shown > 0 || videos.failed < maxVideoFailures;

/** Cancels the request of an image that is removed from the page while it loads. */
function cancelOnRemoval(image: HTMLImageElement | null): (() => void) | undefined {
  return image === null ? undefined : () => image.removeAttribute('src');
}

export interface ThumbnailProps {
  readonly url: string;
  readonly pace: ScrollPace;
  /** Whether to show the whole picture instead of filling the frame. */
  readonly isUncropped: boolean;
  readonly isVideo: boolean;
  /** Called with the size of the picture once it has loaded, in its own pixels. */
  readonly onSize?: ((width: number, height: number) => void) | undefined;
}

/** Shows a picture over the icon of its file once it has loaded. Waits while the listing is scrolled fast. */
export function Thumbnail({ url, pace, isUncropped, isVideo, onSize }: ThumbnailProps) {
  const isFast = useSyncExternalStore(pace.subscribe, () => pace.isFast);
  const [shown, setShown] = useState<{ url: string; isLoaded: boolean } | null>(null);
  // A started request continues, even if the listing is then scrolled fast.
  if (!isFast && shown?.url !== url && (!isVideo || canRequestVideos())) setShown({ url, isLoaded: false });
  if (shown === null || failed.has(shown.url)) return null;
  return (
    <img
      ref={cancelOnRemoval}
      className={styles.thumbnail}
      src={shown.url}
      alt=""
      decoding="async"
      draggable={false}
      data-whole={isUncropped || undefined}
      data-loaded={shown.isLoaded || undefined}
      onLoad={({ currentTarget }) => {
        onSize?.(currentTarget.naturalWidth, currentTarget.naturalHeight);
        if (isVideo) videos.shown += 1;
        setShown({ ...shown, isLoaded: true });
      }}
      onError={() => {
        rememberFailure(shown.url);
        if (isVideo) videos.failed += 1;
        setShown({ ...shown });
      }}
    />
  );
}
