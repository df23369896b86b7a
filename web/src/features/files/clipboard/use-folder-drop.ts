import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState, type DragEvent } from 'react';
import { draggedCount, isEntryDrag, springDelayMs } from './dragged-entries.ts';
import { draggedFileCount, type DropSummary } from './drop-summary.ts';
import { dropLabel } from './lazy-drop-label.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { isCopyKeyHeld } from '../../../ui/keyboard/shortcut.ts';

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
  const operationOf = (event: DragEvent): DropSummary['kind'] | null => {
    const { dataTransfer } = event;
    if (!drop) return null;
    if (dataTransfer.types.includes('Files')) return drop.onDropFiles ? 'upload' : null;
    if (!isEntryDrag(dataTransfer)) return null;
    const isCopy = isCopyKeyHeld(event) || !drop.can.rename;
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
      const count = operation === 'upload' ? draggedFileCount(event.dataTransfer) : draggedCount();
      // Without the label a drop works; the next report of the drag tries again.
      dropLabel.load().catch(() => undefined);
      dropLabel.peek()?.showDropLabel(
        {
          kind: operation,
          count,
          folder: folderName(folder),
          canCopy: drop?.can.create === true,
          opens: onRest !== undefined,
        },
        event,
      );
    },
    onDragLeave: () => {
      setTarget(false);
      dropLabel.peek()?.hideDropLabel();
    },
    onDrop: (event: DragEvent) => {
      setTarget(false);
      dropLabel.peek()?.hideDropLabel();
      const operation = operationOf(event);
      if (operation === null) return;
      event.preventDefault();
      if (operation === 'upload') drop?.onDropFiles?.(folder, event.dataTransfer);
      else drop?.onDrop(folder, operation === 'copy');
    },
  };
}
