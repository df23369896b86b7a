import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Ellipsis } from '../../../ui/icons.ts';
import { PathArrow } from '../../../ui/navigation/path-link.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { isEntryDrag } from '../clipboard/dragged-entries.ts';
import styles from './folder-crumbs.module.css';
import { useFolderDrop, type FolderDrop } from '../clipboard/use-folder-drop.ts';

/** The time for which a drag must hover before the folders open, in ms. */
const hoverMs = 500;

interface HiddenFoldersProps {
  /** The hidden folders, the nearest first. */
  folders: readonly VirtualPath[];
  labelOf: (folder: VirtualPath) => string;
  drop: FolderDrop;
  onOpen: (folder: VirtualPath) => void;
}

/** The folders of the path that do not fit: a menu, and drop targets while something is dragged over it. */
export function HiddenFolders({ folders, labelOf, drop, onOpen }: HiddenFoldersProps) {
  const { t } = useTranslation('files');
  const [position, setPosition] = useState<{ insetInlineStart: number; top: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setPosition(null);
  };
  const onDragOver = ({ dataTransfer, currentTarget }: DragEvent) => {
    if (timer.current !== undefined) return;
    if (!dataTransfer.types.includes('Files') && !isEntryDrag(dataTransfer)) return;
    timer.current = setTimeout(() => {
      const { left, right, bottom } = currentTarget.getBoundingClientRect();
      const isMirrored = document.documentElement.dir === 'rtl';
      setPosition({ insetInlineStart: isMirrored ? window.innerWidth - right : left, top: bottom });
    }, hoverMs);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) close();
  };
  const hover = { onDragOver, onDragLeave, onDrop: close };
  return (
    <li className={styles.ancestor} {...hover}>
      <MenuTrigger>
        <IconButton size="small" label={t('hiddenFolders')} icon={<Ellipsis />} />
        <Menu placement="bottom start">
          {folders.map((folder) => (
            <MenuItem key={folder} onAction={() => onOpen(folder)}>
              <bdi>{labelOf(folder)}</bdi>
            </MenuItem>
          ))}
        </Menu>
      </MenuTrigger>
      <PathArrow />
      {position && (
        <div className={styles.dropTargets} style={position}>
          {folders.map((folder) => (
            <DropFolder key={folder} folder={folder} label={labelOf(folder)} drop={drop} />
          ))}
        </div>
      )}
    </li>
  );
}

function DropFolder({ folder, label, drop }: { folder: VirtualPath; label: string; drop: FolderDrop }) {
  return (
    <div className={styles.dropTarget} data-part="drop-target" {...useFolderDrop(folder, drop)}>
      <bdi>{label}</bdi>
    </div>
  );
}
