import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { displayName } from '../../i18n/display-name.ts';
import { pageConfig } from '../../api/page-config.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { lowerCaseExtension, fileKind } from '../../ui/names/file-kind.ts';
import { useFileAddresses } from './file-addresses.ts';
import styles from './filmstrip.module.css';
import { isPreviewable, mayHaveCover, type PreviewEntry } from './preview-entry.ts';

/** Neighbours on each side; a folder may hold tens of thousands. */
const mostOnEachSide = 20;

/** Pictures that the server has not made, by their addresses, which change with the files: asked for once only. */
const missing = new Set<string>();

interface FilmstripProps {
  entry: PreviewEntry;
  siblings: readonly PreviewEntry[];
  onChoose: (entry: PreviewEntry) => void;
}

/** Only the strip moves; the page stays where it is. */
function showInMiddle(frame: HTMLElement | null): void {
  const strip = frame?.parentElement;
  if (strip) strip.scrollLeft = frame.offsetLeft - (strip.clientWidth - frame.clientWidth) / 2;
}

/** Small pictures of the file and those around it. */
export function Filmstrip({ entry, siblings, onChoose }: FilmstripProps) {
  const { t } = useTranslation('previews');
  const walked = siblings.filter(isPreviewable);
  const at = walked.findIndex(({ path }) => path === entry.path);
  if (at < 0 || walked.length < 2) return null;
  return (
    <div className={styles.strip} role="group" aria-label={t('filmstrip')}>
      {walked.slice(Math.max(0, at - mostOnEachSide), at + mostOnEachSide + 1).map((one) => {
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
            // One stop for Tab; the arrows go on from there.
            tabIndex={isCurrent ? 0 : -1}
            onClick={() => onChoose(one)}
          >
            <Small entry={one} />
          </button>
        );
      })}
    </div>
  );
}

function Small({ entry }: { entry: PreviewEntry }) {
  const addresses = useFileAddresses();
  const url = addresses.picture(entry, 'thumb');
  const [isMissing, setMissing] = useState(() => missing.has(url));
  const hasPicture = entry.size > 0 && (entry.type === 'image' || mayHaveCover(entry));
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
