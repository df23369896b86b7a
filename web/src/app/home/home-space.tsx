import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { CSSProperties } from 'react';
import { saveFolderView } from '../../features/files/folder/folder-views.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { type Rect, squarify } from '../../features/space/squarify.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Trash2 } from '../../ui/icons.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { spaceAddress } from '../routes/file-address.ts';
import { HomePart } from './home-part.tsx';
import styles from './home-page.module.css';
import type { Home, LargeFolder } from './load-home.ts';

/** The size of the map in wide windows, in px; in others it has the width of the page. */
const mapSize = { width: 360, height: 176 } as const;
/** The least side of a box in px: with the gap, 44 px as a target for fingers remain. */
const minBoxPx = 50;

interface HomeSpaceProps {
  home: Partial<Home>;
}

/** The largest folders as a map, the free space, and what the trash and versions use. */
export function HomeSpace({ home }: HomeSpaceProps) {
  const { t } = useTranslation('home');
  const { largest = [], free } = home;
  return (
    <HomePart
      title={t('largest')}
      more={{
        to: spaceAddress(rootPath),
        label:
          free === undefined ? (
            t('showAll')
          ) : (
            <span className={styles.free}>{t('free', { size: formatSize(free) })}</span>
          ),
      }}
    >
      <FolderMap folders={largest} />
      <KeptNote home={home} />
    </HomePart>
  );
}

/**
 * A note about what the trash and versions keep, with a link to free it: sizes for administrators, for others the number of items.
 * The link leads to the trash, or to the page of the storage if only versions or the trash of others keep something.
 */
function KeptNote({ home: { kept, trashCount = 0 } }: HomeSpaceProps) {
  const { t } = useTranslation(['home', 'app', 'versions', 'listing']);
  const isKept = kept !== undefined && kept.deleted + kept.versions > 0;
  if (!isKept && trashCount === 0) return null;
  return (
    <p className={styles.kept}>
      <Trash2 aria-hidden="true" />
      <span>
        {isKept
          ? `${t('app:frame.trash')} ${formatSize(kept.deleted)} · ${t('versions:listLabel')} ${formatSize(kept.versions)}`
          : `${t('app:frame.trash')} · ${t('listing:itemCount', pluralValues(trashCount))}`}
      </span>
      <Link to={trashCount > 0 ? '/trash' : '/settings/storage'}>{t('freeUp')}</Link>
    </p>
  );
}

/** Reserves the place of the map. */
export function HomeSpaceSkeleton() {
  return (
    <div>
      <div className={styles.header}>
        <Skeleton width="40%" height="1.5rem" />
      </div>
      <Skeleton className={styles.map} height={`${mapSize.height}px`} />
    </div>
  );
}

/** Returns as many of the largest folders as can be pressed, with their boxes. */
function boxesOf(folders: readonly LargeFolder[]): (LargeFolder & Rect)[] {
  for (let count = folders.length; ; count--) {
    const shown = folders.slice(0, count);
    const sizes = shown.map(({ bytes }) => bytes);
    const rects = squarify(sizes, { x: 0, y: 0, ...mapSize });
    if (count > 1 && rects.some(({ width, height }) => Math.min(width, height) < minBoxPx)) continue;
    return shown.flatMap((folder, index) => {
      const rect = rects[index];
      return rect === undefined ? [] : [{ ...folder, ...rect }];
    });
  }
}

/** The largest folders as links, whose areas are proportional to their sizes. A link opens the folder sorted by size. */
function FolderMap({ folders }: { folders: readonly LargeFolder[] }) {
  const { id } = useCurrentUser();
  return (
    <ul className={styles.map} style={{ blockSize: `${mapSize.height}px` }}>
      {boxesOf(folders).map(({ name, bytes, kind, x, y, width, height }) => {
        const path = `/${name}` as VirtualPath;
        const label = `${displayName(name)} · ${formatSize(bytes)}`;
        return (
          <li
            key={name}
            style={{
              insetInlineStart: percent(x, mapSize.width),
              insetBlockStart: percent(y, mapSize.height),
              inlineSize: percent(width, mapSize.width),
              blockSize: percent(height, mapSize.height),
            }}
          >
            <Link
              to={fileAddress(path, true)}
              className={styles.box}
              style={{ '--kind': `var(--kind-${kind}, var(--kind-other))` } as CSSProperties}
              aria-label={label}
              title={label}
              onClick={() => saveFolderView(id, path, { sorting: { by: 'size', asc: false } })}
            >
              <bdi className={styles.name}>{displayName(name)}</bdi>
              <span className={styles.boxSize}>{formatSize(bytes)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;
