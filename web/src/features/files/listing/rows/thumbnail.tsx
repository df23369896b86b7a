import { useState, useSyncExternalStore } from 'react';
import styles from '../entry.module.css';
import type { ScrollPace } from '../dragging/scroll-pace.ts';

/** Addresses that gave no picture; asked for once in a session. Bounded, as a folder may hold 100,000 of them. */
const failed = new Set<string>();
const failedLimit = 2000;

function remember(url: string): void {
  if (failed.size >= failedLimit) failed.clear();
  failed.add(url);
}

/** Pictures of videos need a program on the server. When so many came out as none and not one as a picture, it is missing. */
const videoTries = 2;
const videos = { shown: 0, failed: 0 };
const areVideosAskedFor = (): boolean => videos.shown > 0 || videos.failed < videoTries;

/** An image that leaves the page while it loads must not go on loading. */
function cancelOnRemoval(image: HTMLImageElement | null): (() => void) | undefined {
  return image === null ? undefined : () => image.removeAttribute('src');
}

export interface ThumbnailProps {
  readonly url: string;
  readonly pace: ScrollPace;
  /** Keeps the whole picture in view instead of filling the frame. */
  readonly isWhole: boolean;
  readonly isVideo: boolean;
}

/** A picture over the icon of its file, as soon as there is one. Waits while the listing is scrolled fast. */
export function Thumbnail({ url, pace, isWhole, isVideo }: ThumbnailProps) {
  const isFast = useSyncExternalStore(pace.subscribe, () => pace.isFast);
  const [shown, setShown] = useState<{ url: string; isLoaded: boolean } | null>(null);
  // Once begun a load goes on, however fast the listing is scrolled after that.
  if (!isFast && shown?.url !== url && (!isVideo || areVideosAskedFor())) setShown({ url, isLoaded: false });
  if (shown === null || failed.has(shown.url)) return null;
  return (
    <img
      ref={cancelOnRemoval}
      className={styles.thumbnail}
      src={shown.url}
      alt=""
      decoding="async"
      draggable={false}
      data-whole={isWhole || undefined}
      data-loaded={shown.isLoaded || undefined}
      onLoad={() => {
        if (isVideo) videos.shown += 1;
        setShown({ ...shown, isLoaded: true });
      }}
      onError={() => {
        remember(shown.url);
        if (isVideo) videos.failed += 1;
        setShown({ ...shown });
      }}
    />
  );
}
