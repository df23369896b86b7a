import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { displayName } from '../../i18n/display-name.ts';
import { pageConfig } from '../../api/page-config.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { lowerCaseExtension, fileKind } from '../../ui/names/file-kind.ts';
import { useFileAddresses } from './file-addresses.ts';
import styles from './filmstrip.module.css';
import { mayBeTransparent } from './images/background.ts';
import { isPreviewable, mayHaveCover, type PreviewEntry } from './preview-entry.ts';

/** Maximum number of neighbors on each side; a folder may contain tens of thousands. */
const maxOnEachSide = 20;

/**
 * Addresses of pictures that the server could not generate. They are requested once only, and change with the files.
 */
const missing = new Set<string>();

interface FilmstripProps {
  entry: PreviewEntry;
  siblings: readonly PreviewEntry[];
  onChoose: (entry: PreviewEntry) => void;
}

/** Scrolls the strip so that the frame is in its middle. The page itself does not scroll. */
function showInMiddle(frame: HTMLElement | null): void {
  const strip = frame?.parentElement;
  if (strip) strip.scrollLeft = frame.offsetLeft - (strip.clientWidth - frame.clientWidth) / 2;
}

/** Shows thumbnails of the file and its neighbors. */
export function Filmstrip({ entry, siblings, onChoose }: FilmstripProps) {
  const { t } = useTranslation('previews');
  const previewable = siblings.filter(isPreviewable);
  const index = previewable.findIndex(({ path }) => path === entry.path);
  if (index < 0 || previewable.length < 2) return null;
  return (
    <div className={styles.strip} role="group" aria-label={t('filmstrip')}>
      {previewable.slice(Math.max(0, index - maxOnEachSide), index + maxOnEachSide + 1).map((one) => {
        const isCurrent = one.path === entry.path;
        return (
          <button
            key={one.path}
            ref={isCurrent ? showInMiddle : undefined}
            type="button"
            className={styles.frame}
            aria-label={displayName(one.name)}
            title={displayName(one.name)}
            aria-current={isCurrent || undefined}
            // Tab stops only at the current file.
            tabIndex={isCurrent ? 0 : -1}
            onClick={() => onChoose(one)}
          >
            <FrameThumbnail entry={one} />
          </button>
        );
      })}
    </div>
  );
}

function FrameThumbnail({ entry }: { entry: PreviewEntry }) {
  const addresses = useFileAddresses();
  const url = addresses.picture(entry, 'thumb');
  const [isMissing, setMissing] = useState(() => missing.has(url));
  const hasPicture =
    entry.size > 0 && (entry.type === 'image' || entry.type === 'video' || mayHaveCover(entry));
  if (!pageConfig.EnableThumbs || !hasPicture || isMissing) {
    return (
      <FileIcon
        kind={fileKind({ ...entry, isFolder: false })}
        size={28}
        extension={lowerCaseExtension(entry.name)}
      />
    );
  }
  return (
    <img
      className={styles.picture}
      src={url}
      alt=""
      data-light={mayBeTransparent(entry.name) || undefined}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => {
        if (navigator.onLine) missing.add(url);
        setMissing(true);
      }}
    />
  );
}
