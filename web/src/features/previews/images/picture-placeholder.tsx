import { useLayoutEffect, useState, type RefObject } from 'react';
import { pageConfig } from '../../../api/page-config.ts';
import { useFileAddresses } from '../file-addresses.ts';
import type { PreviewEntry } from '../preview-entry.ts';
import styles from './image-stage.module.css';
import { displayedSize, fill, type Size } from './zoom.ts';

/** The longer side of the server's medium picture; one of that size is reduced from a larger original. */
const mediumPx = 480;

interface PicturePlaceholderProps {
  entry: PreviewEntry;
  /** The space that the picture may fill. */
  frame: Size;
  /** Receives the element with the thumbnail. */
  shownRef: RefObject<HTMLElement | null>;
  /** Called when the thumbnail is visible. */
  onShown: () => void;
}

/** Returns a picture of the page that is loaded already, such as the tile of the listing. */
function loadedPicture(url: string): HTMLImageElement | null {
  for (const image of document.images) {
    if (image.getAttribute('src') === url && image.complete && image.naturalWidth > 0) return image;
  }
  return null;
}

/** Returns the size at which a thumbnail is shown: that of the picture that replaces it, as far as it can be known. */
function shownSize(natural: Size, frame: Size): Size {
  const isReduced = Math.max(natural.width, natural.height) >= mediumPx;
  return displayedSize({ frame, natural: isReduced ? fill(natural, frame) : natural });
}

/**
 * Shows the thumbnail of an image, blurred, until the image has loaded. A copy of the tile in the listing is shown at once, without a
 * request; otherwise the small picture is requested, which arrives before the large one.
 */
export function PicturePlaceholder({ entry, frame, shownRef, onShown }: PicturePlaceholderProps) {
  const addresses = useFileAddresses();
  const url = pageConfig.EnableThumbs ? addresses.picture(entry, 'medium') : null;
  const [tile] = useState(() => (url === null ? null : loadedPicture(url)));
  const [natural, setNatural] = useState<Size | null>(() =>
    tile ? { width: tile.naturalWidth, height: tile.naturalHeight } : null,
  );
  const isVisible = natural !== null && frame.width > 0;
  useLayoutEffect(() => {
    if (isVisible) onShown();
    // Called once, when the thumbnail becomes visible.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isVisible]);
  if (url === null) return null;
  const size = natural && shownSize(natural, frame);
  const style = { inlineSize: size?.width, blockSize: size?.height };
  if (tile && natural) {
    return (
      <canvas
        ref={(canvas) => {
          shownRef.current = canvas;
          // Drawing replaces what an earlier call has drawn.
          canvas?.getContext('2d')?.drawImage(tile, 0, 0);
        }}
        className={styles.placeholder}
        width={natural.width}
        height={natural.height}
        style={style}
        aria-hidden="true"
      />
    );
  }
  return (
    <img
      ref={(image) => {
        shownRef.current = image;
      }}
      className={styles.placeholder}
      data-waiting={natural === null || undefined}
      src={url}
      alt=""
      style={style}
      draggable={false}
      onLoad={({ currentTarget }) =>
        setNatural({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
      }
    />
  );
}
