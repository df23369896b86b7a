import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { PathArrow, PathLink } from '../../../ui/navigation/path-link.tsx';
import { displayName } from '../../../i18n/display-name.ts';
import { ancestorsOf } from './ancestors.ts';
import { CrumbOverflow } from './crumb-overflow.ts';
import styles from './folder-crumbs.module.css';
import { hiddenCrumbs } from './hidden-crumbs.ts';
import { HiddenFolders } from './hidden-folders.tsx';
import { useFolderDrop, type FolderDrop } from '../clipboard/use-folder-drop.ts';

interface FolderCrumbsProps {
  path: VirtualPath;
  /** Returns the address of a folder's screen, below the router's base. */
  addressOf: (folder: VirtualPath) => string;
  drop: FolderDrop;
  /** Opens a folder that is only in the menu. */
  onOpen: (folder: VirtualPath) => void;
}

/**
 * The breadcrumbs of the shown folder, which are the page's title. Entries and files can be dropped on the folders
 * above.
 */
export function FolderCrumbs({ path, addressOf, drop, onOpen }: FolderCrumbsProps) {
  const { t } = useTranslation('files');
  const list = useRef<HTMLOListElement>(null);
  const ancestors = ancestorsOf(path);
  const above = ancestors.slice(0, -1);
  const hidden = hiddenCrumbs(above, useHiddenCount(list, path, above.length));
  const labelOf = (folder: VirtualPath) => displayName(nameOf(folder)) || t('root');
  return (
    <nav className={styles.crumbs} aria-label={t('breadcrumbs')}>
      <ol ref={list}>
        {above.map((folder) => {
          if (!hidden.includes(folder)) {
            return (
              <Crumb
                key={folder}
                folder={folder}
                label={labelOf(folder)}
                address={addressOf(folder)}
                drop={drop}
              />
            );
          }
          if (folder !== hidden[0]) return null;
          return (
            <HiddenFolders
              key="hidden"
              folders={hidden.toReversed()}
              labelOf={labelOf}
              drop={drop}
              onOpen={onOpen}
            />
          );
        })}
        <li className={styles.current}>
          <h1 title={displayName(nameOf(path))}>
            <bdi>{labelOf(path)}</bdi>
          </h1>
        </li>
      </ol>
    </nav>
  );
}

/** Returns how many folders above do not fit; measured before the page is painted. */
function useHiddenCount(
  list: RefObject<HTMLOListElement | null>,
  path: VirtualPath,
  maxHidden: number,
): number {
  const [overflow] = useState(() => new CrumbOverflow());
  const count = useSyncExternalStore(overflow.subscribe, overflow.getCount);
  useLayoutEffect(
    () => overflow.measure(list.current, path, maxHidden, count),
    [overflow, list, path, maxHidden, count],
  );
  useEffect(() => {
    const container = list.current?.parentElement;
    if (!container) return undefined;
    const observer = new ResizeObserver(() =>
      overflow.measure(list.current, path, maxHidden, overflow.getCount()),
    );
    observer.observe(container);
    return () => observer.disconnect();
  }, [overflow, list, path, maxHidden]);
  return count;
}

interface CrumbProps {
  folder: VirtualPath;
  label: string;
  address: string;
  drop: FolderDrop;
}

function Crumb({ folder, label, address, drop }: CrumbProps) {
  const dropping = useFolderDrop(folder, drop);
  return (
    <li className={styles.ancestor}>
      <PathLink to={address} title={label} {...dropping}>
        <bdi>{label}</bdi>
      </PathLink>
      <PathArrow />
    </li>
  );
}
