import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState, type DragEvent } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { draggedCount, isEntryDrag, springDelayMs } from './dragged-entries.ts';
import { hideDropPill, showDropPill } from './drop-pill.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { folderName } from '../feedback/files-text.ts';

/** The drops that a folder outside the listing accepts, such as one in the breadcrumbs. */
export interface FolderDrop {
  /** Moving requires `rename`, copying requires `create`. */
  readonly can: { readonly rename: boolean; readonly create: boolean };
  readonly onDrop: (folder: VirtualPath, isCopy: boolean) => void;
  /** Uploads files from outside; absent without the permission to create. */
  readonly onDropFiles?: ((folder: VirtualPath, data: DataTransfer) => void) | undefined;
  /** Opens the folder on which a drag has rested for {@link springDelayMs}. */
  readonly onRest?: ((folder: VirtualPath) => void) | undefined;
}

/**
 * Returns props that accept entries and files dropped on the element that represents `folder`. Without `drop` nothing
 * is accepted.
 */
export function useFolderDrop(folder: VirtualPath, drop: FolderDrop | undefined) {
  const [isTarget, setTarget] = useState(false);
  const onRest = drop?.onRest;
  useEffect(() => {
    if (!isTarget || onRest === undefined) return undefined;
    const timer = setTimeout(() => onRest(folder), springDelayMs);
    return () => clearTimeout(timer);
  }, [isTarget, onRest, folder]);
  const operationOf = ({ dataTransfer, ctrlKey, altKey }: DragEvent): 'move' | 'copy' | 'files' | null => {
    if (!drop) return null;
    if (dataTransfer.types.includes('Files')) return drop.onDropFiles ? 'files' : null;
    if (!isEntryDrag(dataTransfer)) return null;
    const isCopy = ctrlKey || altKey || !drop.can.rename;
    if (isCopy) return drop.can.create ? 'copy' : null;
    return 'move';
  };
  return {
    'data-drop': isTarget || undefined,
    onDragOver: (event: DragEvent) => {
      const operation = operationOf(event);
      if (operation === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = operation === 'move' ? 'move' : 'copy';
      setTarget(true);
      showDropPill(describeDrop(operation, folder, event.dataTransfer), {
        x: event.clientX,
        y: event.clientY,
      });
    },
    onDragLeave: () => {
      setTarget(false);
      hideDropPill();
    },
    onDrop: (event: DragEvent) => {
      setTarget(false);
      hideDropPill();
      const operation = operationOf(event);
      if (operation === null) return;
      event.preventDefault();
      if (operation === 'files') drop?.onDropFiles?.(folder, event.dataTransfer);
      else drop?.onDrop(folder, operation === 'copy');
    },
  };
}

/** Describes what a drop on `folder` would do. Some browsers do not report the number of files before the drop. */
function describeDrop(operation: 'move' | 'copy' | 'files', folder: VirtualPath, data: DataTransfer): string {
  const name = folderName(folder);
  if (operation !== 'files')
    return i18n.t(`listing:drop.${operation}`, { ...pluralValues(draggedCount()), folder: name });
  const count = Array.from(data.items).filter(({ kind }) => kind === 'file').length;
  if (count === 0) return i18n.t('listing:drop.uploadSome', { folder: name });
  return i18n.t('listing:drop.upload', { ...pluralValues(count), folder: name });
}
