import type { Operation } from '@filestead/contract/endpoints/operations';
import type { ComponentType } from 'react';
import {
  Archive,
  ArchiveRestore,
  Copy,
  FolderInput,
  FolderPlus,
  Link2,
  PencilLine,
  Redo2,
  Rewind,
  RotateCcw,
  Save,
  Trash2,
  Undo2,
  Upload,
} from '../../ui/icons.ts';
import { isRedo, isRename } from './history-texts.ts';

const icons: Readonly<Record<Operation['kind'], ComponentType>> = {
  upload: Upload,
  save: Save,
  create: FolderPlus,
  copy: Copy,
  extract: ArchiveRestore,
  compress: Archive,
  move: FolderInput,
  delete: Trash2,
  restore: RotateCcw,
  purge: Trash2,
  unshare: Link2,
  reshare: Link2,
  undo: Undo2,
  rewind: Rewind,
};

/** The icon of the kind of an operation. */
export function OperationIcon({ operation }: { operation: Operation }) {
  const Icon = isRedo(operation) ? Redo2 : isRename(operation) ? PencilLine : icons[operation.kind];
  return <Icon />;
}
