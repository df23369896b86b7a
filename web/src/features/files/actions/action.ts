import type { Permissions } from '@filestead/contract/values/permissions';
import type { ViewMode } from '@filestead/contract/users';
import type { ComponentType } from 'react';
import type { Clipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from '../entries/entry.ts';

/** Selections up to this size are looked at to decide what applies. */
export const maxSample = 6;

/** What decides whether an action applies. Cheap to make for any selection: it names the entries of small ones only. */
export interface ActionContext {
  readonly can: Permissions;
  /** How many entries are selected. */
  readonly count: number;
  /** The selected entries; empty when there are more than {@link maxSample}. */
  readonly sample: readonly FileEntry[];
  /** Entries in the folder. */
  readonly total: number;
  readonly clipboard: Clipboard | null;
  readonly viewMode: ViewMode;
  readonly isSelecting: boolean;
  readonly areDetailsOpen: boolean;
  /** The server runs commands of users who may. */
  readonly hasCommands: boolean;
  readonly isShellOpen: boolean;
  /** The last action can be taken back now. */
  readonly canUndo: boolean;
  /** The shown folder is the topmost one. */
  readonly isTop: boolean;
}

/** What the folder screen can do. Actions only call these, so that they can be listed and tested without a screen. */
export interface FolderCommands {
  open(): void;
  preview(): void;
  download(): void;
  share(): void;
  rename(): void;
  move(): void;
  copy(): void;
  cutToClipboard(): void;
  copyToClipboard(): void;
  paste(): void;
  copyPath(): void;
  copyAddress(): void;
  remove(): void;
  undo(): void;
  createFolder(): void;
  createFile(): void;
  uploadFiles(): void;
  uploadFolder(): void;
  selectAll(): void;
  clearSelection(): void;
  toggleSelecting(): void;
  toggleDetails(): void;
  toggleShell(): void;
  switchView(): void;
  largerTiles(): void;
  smallerTiles(): void;
  reload(): void;
  search(): void;
  goUp(): void;
}

/** Where an action is offered besides the keyboard. */
export type ActionPlace =
  'selection' | 'entryMenu' | 'folderMenu' | 'newMenu' | 'uploadMenu' | 'phoneMenu' | 'header';

export type ActionId = keyof FolderCommands;

/** An action as a value: bars, menus and the keyboard all read the same list. */
export interface FileAction {
  /** Its text is `actions.<id>` in the `files` namespace. */
  readonly id: ActionId;
  readonly icon: ComponentType;
  /** Such as `F2` or `Mod+C`; the first one is shown. */
  readonly keys: readonly string[];
  readonly places: readonly ActionPlace[];
  /** Actions of one group stand together in menus. */
  readonly group: 'open' | 'edit' | 'clipboard' | 'create' | 'view' | 'delete';
  readonly isDangerous?: boolean;
  readonly isOffered: (context: ActionContext) => boolean;
  readonly run: (commands: FolderCommands) => void;
}
