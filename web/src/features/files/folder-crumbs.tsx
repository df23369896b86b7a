import { nameOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ChevronRight } from '../../ui/icons.ts';
import { ancestorsOf } from './ancestors.ts';
import { isEntryDrag } from './dragged-entries.ts';
import styles from './folder-crumbs.module.css';

/** Longer paths show their first folder, a menu of what lies between, and their end. */
const maxCrumbs = 4;

interface FolderCrumbsProps {
  path: VirtualPath;
  /** Of a folder's screen, below the router's base. */
  addressOf: (folder: VirtualPath) => string;
  /** Entries are moved to the folders above with the one, copied with the other. */
  can: { readonly rename: boolean; readonly create: boolean };
  onDrop: (folder: VirtualPath, isCopy: boolean) => void;
  /** Takes files from outside that are dropped on a folder above; absent without the permission to create. */
  onDropFiles?: ((folder: VirtualPath, data: DataTransfer) => void) | undefined;
}

/** The way to the shown folder; it is the page's title. Entries and files can be dropped on the folders above. */
export function FolderCrumbs({ path, ...ofCrumbs }: FolderCrumbsProps) {
  const { t } = useTranslation('files');
  const ancestors = ancestorsOf(path);
  const hidden = ancestors.length > maxCrumbs ? ancestors.slice(1, -(maxCrumbs - 2)) : [];
  const nearestHidden = hidden.at(-1);
  return (
    <nav className={styles.crumbs} aria-label={t('breadcrumbs')}>
      <ol>
        {ancestors.map((ancestor) => {
          if (ancestor === path) {
            return (
              <li key={ancestor} className={styles.current}>
                <h1 title={nameOf(ancestor)}>
                  <bdi>{nameOf(ancestor) || t('root')}</bdi>
                </h1>
              </li>
            );
          }
          if (hidden.includes(ancestor) && ancestor !== nearestHidden) return null;
          return (
            <Crumb
              key={ancestor}
              folder={ancestor}
              label={ancestor === nearestHidden ? '…' : nameOf(ancestor) || t('root')}
              {...ofCrumbs}
            />
          );
        })}
      </ol>
    </nav>
  );
}

interface CrumbProps extends Omit<FolderCrumbsProps, 'path'> {
  folder: VirtualPath;
  label: string;
}

function Crumb({ folder, label, addressOf, can, onDrop, onDropFiles }: CrumbProps) {
  const [isTarget, setTarget] = useState(false);
  const takes = ({ dataTransfer, ctrlKey, altKey }: DragEvent): 'move' | 'copy' | 'files' | null => {
    if (dataTransfer.types.includes('Files')) return onDropFiles ? 'files' : null;
    if (!isEntryDrag(dataTransfer)) return null;
    const isCopy = ctrlKey || altKey || !can.rename;
    if (isCopy) return can.create ? 'copy' : null;
    return 'move';
  };
  const onDragOver = (event: DragEvent) => {
    const taken = takes(event);
    if (taken === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = taken === 'move' ? 'move' : 'copy';
    setTarget(true);
  };
  return (
    <li className={styles.ancestor}>
      <Link
        to={addressOf(folder)}
        aria-label={label === '…' ? nameOf(folder) : undefined}
        title={nameOf(folder)}
        data-drop={isTarget || undefined}
        onDragOver={onDragOver}
        onDragLeave={() => setTarget(false)}
        onDrop={(event) => {
          setTarget(false);
          const taken = takes(event);
          if (taken === null) return;
          event.preventDefault();
          if (taken === 'files') onDropFiles?.(folder, event.dataTransfer);
          else onDrop(folder, taken === 'copy');
        }}
      >
        <bdi>{label}</bdi>
      </Link>
      <ChevronRight aria-hidden="true" />
    </li>
  );
}
