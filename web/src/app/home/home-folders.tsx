import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback } from 'react';
import { FolderCover } from '../../features/files/covers/folder-cover.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { locationText } from '../../i18n/path-text.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useReady } from '../../ui/hooks/use-loaded.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { HomePart } from './home-part.tsx';
import styles from './home-page.module.css';
import { loadFolderSummary } from './load-home.ts';

interface HomeFoldersProps {
  folders: readonly VirtualPath[];
  /** Whether covers and sizes are requested later, after the parts of the page. */
  isDelayed: boolean;
}

/** The folders that the user works in, each with a cover. */
export function HomeFolders({ folders, isDelayed }: HomeFoldersProps) {
  const { t } = useTranslation('home');
  return (
    <HomePart title={t('folders')} note={t('foldersOrder')}>
      <ul className={styles.folders}>
        {folders.map((path) => (
          <li key={path}>
            <Link to={fileAddress(path, true)} className={styles.folder} title={displayName(path)}>
              <FolderCover path={path} isDelayed={isDelayed} />
              <bdi className={styles.name}>{displayName(nameOf(path))}</bdi>
              <FolderNote path={path} isDelayed={isDelayed} />
            </Link>
          </li>
        ))}
      </ul>
    </HomePart>
  );
}

/** The number of entries and the size of a folder; its location until they are known. */
function FolderNote({ path, isDelayed }: { path: VirtualPath; isDelayed: boolean }) {
  const { t } = useTranslation(['listing', 'app']);
  const load = useCallback((signal: AbortSignal) => loadFolderSummary(path, signal), [path]);
  const summary = useReady(isDelayed ? null : load);
  const isPhone = useIsPhone();
  return (
    <span className={styles.where} data-own-text="">
      {summary === null
        ? locationText(path, t('app:frame.myFiles'))
        : // On phones there is no room for the size.
          [
            t('itemCount', pluralValues(summary.entries)),
            ...(isPhone ? [] : [formatSize(summary.bytes)]),
          ].join(' · ')}
    </span>
  );
}
