import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState, type DragEvent } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { draggedCount, isEntryDrag } from './dragged-entries.ts';
import { hideDropPill, showDropPill } from './drop-pill.ts';
import { counted, folderName } from '../feedback/toasts.ts';

/** What may be dropped on a folder that is named outside the listing, such as in the path above it. */
export interface FolderDrop {
  /** Entries are moved with the one, copied with the other. */
  readonly can: { readonly rename: boolean; readonly create: boolean };
  readonly onDrop: (folder: VirtualPath, isCopy: boolean) => void;
  /** Takes files from outside; absent without the permission to create. */
  readonly onDropFiles?: ((folder: VirtualPath, data: DataTransfer) => void) | undefined;
}

/** Lets entries and files be dropped on what names `folder`: spread over the element. Nothing is taken without `drop`. */
export function useFolderDrop(folder: VirtualPath, drop: FolderDrop | undefined) {
  const [isTarget, setTarget] = useState(false);
  const takes = ({ dataTransfer, ctrlKey, altKey }: DragEvent): 'move' | 'copy' | 'files' | null => {
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
      const taken = takes(event);
      if (taken === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = taken === 'move' ? 'move' : 'copy';
      setTarget(true);
      showDropPill(sentenceOf(taken, folder, event.dataTransfer), { x: event.clientX, y: event.clientY });
    },
    onDragLeave: () => {
      setTarget(false);
      hideDropPill();
    },
    onDrop: (event: DragEvent) => {
      setTarget(false);
      hideDropPill();
      const taken = takes(event);
      if (taken === null) return;
      event.preventDefault();
      if (taken === 'files') drop?.onDropFiles?.(folder, event.dataTransfer);
      else drop?.onDrop(folder, taken === 'copy');
    },
  };
}

/** What a drop on `folder` would do. The browser does not always say how many files come. */
function sentenceOf(taken: 'move' | 'copy' | 'files', folder: VirtualPath, data: DataTransfer): string {
  const name = folderName(folder);
  if (taken !== 'files') return i18n.t(`listing:drop.${taken}`, { ...counted(draggedCount()), folder: name });
  const count = Array.from(data.items).filter(({ kind }) => kind === 'file').length;
  if (count === 0) return i18n.t('listing:drop.uploadSome', { folder: name });
  return i18n.t('listing:drop.upload', { ...counted(count), folder: name });
}
