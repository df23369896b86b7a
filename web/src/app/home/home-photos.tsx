import { rootPath } from '@filestead/contract/paths/virtual-path';
import { useLayoutEffect, useRef, useState } from 'react';
import { picturesOf } from '../../features/files/covers/load-cover.ts';
import { displayName } from '../../i18n/display-name.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { HomePart } from './home-part.tsx';
import styles from './home-page.module.css';
import type { Home } from './load-home.ts';
import { markLoaded } from './mark-loaded.ts';
import { stripRows } from './photo-strip.ts';

/** The height of a row of photos, on phones and elsewhere, and the gap between them, in px. */
const strip = { phoneRowPx: 128, rowPx: 112, gapPx: 4 };

/** Returns the photos that can be shown. */
export const picturesIn = (photos: Home['photos']) => picturesOf(rootPath, photos, 'mosaic gallery');

/** The pictures that were changed last, uncropped: as many as fit into one row, on phones into two. */
export function HomePhotos({ pictures }: { pictures: ReturnType<typeof picturesIn> }) {
  const { t } = useTranslation('home');
  const isPhone = useIsPhone();
  const list = useRef<HTMLUListElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const measure = (): void => setWidthPx(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ratios = pictures.map(({ ratio }) => ratio);
  const rows =
    widthPx === 0
      ? []
      : stripRows(ratios, widthPx, {
          gapPx: strip.gapPx,
          rowPx: isPhone ? strip.phoneRowPx : strip.rowPx,
          maxRows: isPhone ? 2 : 1,
        });
  return (
    <HomePart title={t('photos')} more={{ to: '/photos', label: t('showAll') }}>
      <ul ref={list} className={styles.photos}>
        {rows.flat().map((tile) => {
          const picture = pictures[tile.index];
          if (picture === undefined) return null;
          const { path, name } = picture;
          return (
            <li key={path}>
              <Link
                to={fileAddress(path, false)}
                state={{ isFromFolder: true }}
                className={styles.photo}
                style={{ inlineSize: `${tile.widthPx}px`, blockSize: `${tile.heightPx}px` }}
                aria-label={displayName(name)}
              >
                <Picture key={picture.url} {...picture} />
              </Link>
            </li>
          );
        })}
      </ul>
    </HomePart>
  );
}

/** A picture; its icon and name if it cannot be drawn. */
function Picture({ url, name }: { url: string; name: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (!hasFailed) {
    return <img src={url} alt="" loading="lazy" onError={() => setFailed(true)} onLoad={markLoaded} />;
  }
  return (
    <span className={styles.undrawn}>
      <FileIcon
        kind={fileKind({ name, type: 'image', isFolder: false })}
        size={32}
        extension={lowerCaseExtension(name)}
      />
      <bdi className={styles.name}>{displayName(name)}</bdi>
    </span>
  );
}
