import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense } from 'react';
import { saveFolderView } from '../../features/files/folder/folder-views.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatSize } from '../../i18n/format.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { SizeBar } from '../../ui/feedback/size-bar.tsx';
import { Trash2 } from '../../ui/icons.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { Link, useNavigate } from '../../ui/navigation/router.tsx';
import { fileAddress, spaceAddress } from '../routes/file-address.ts';
import { HomePart } from './home-part.tsx';
import styles from './home-page.module.css';
import type { Home } from './load-home.ts';

const SpaceMap = lazyWithTexts(
  async () => (await import('../../features/space/space-map.tsx')).SpaceMap,
  'space',
);

interface HomeSpaceProps {
  largest: Home['largest'];
  map: Home['map'] | undefined;
  kept: Home['kept'] | undefined;
}

/** The largest folders, also as a map, and the space that the trash and versions use. */
export function HomeSpace({ largest, map, kept }: HomeSpaceProps) {
  const { t } = useTranslation(['home', 'app', 'versions']);
  const { id } = useCurrentUser();
  const navigate = useNavigate();
  const sortBySize = (path: VirtualPath) => saveFolderView(id, path, { sorting: { by: 'size', asc: false } });
  const openBySize = (path: VirtualPath) => {
    sortBySize(path);
    void navigate(fileAddress(path, true));
  };
  const maxBytes = largest[0]?.bytes ?? 0;
  return (
    <HomePart title={t('largest')} more={{ to: spaceAddress(rootPath), label: t('showAll') }}>
      {map && (
        <div className={styles.map}>
          <Suspense fallback={null}>
            <SpaceMap root={map} onOpen={({ path }) => openBySize(`/${path}` as VirtualPath)} />
          </Suspense>
        </div>
      )}
      <ul>
        {largest.map(({ name, bytes }) => {
          const path = `/${name}` as VirtualPath;
          return (
            <li key={name}>
              <Link to={fileAddress(path, true)} className={styles.row} onClick={() => sortBySize(path)}>
                <FileIcon kind="folder" size={24} />
                <bdi className={styles.name}>{displayName(name)}</bdi>
                <span className={styles.when}>{formatSize(bytes ?? 0)}</span>
                <SizeBar
                  className={styles.sizeBar}
                  tone="honey"
                  fraction={maxBytes > 0 ? (bytes ?? 0) / maxBytes : 0}
                />
              </Link>
            </li>
          );
        })}
      </ul>
      {kept && kept.deleted + kept.versions > 0 && (
        <p className={styles.kept}>
          <Trash2 aria-hidden="true" />
          <span>
            {t('app:frame.trash')} {formatSize(kept.deleted)}
            {' · '}
            {t('versions:listLabel')} {formatSize(kept.versions)}
          </span>
          <Link to="/settings/storage">{t('showAll')}</Link>
        </p>
      )}
    </HomePart>
  );
}
