import type { Permissions } from '@filestead/contract/values/permissions';
import type { ViewMode } from '@filestead/contract/users';
import type { ComponentType } from 'react';
import type { Clipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from '../entries/entry.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import type { FolderSession } from '../folder/folder-session.ts';

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

/** The folder that an action works on. Read at each use, because the screen changes around it. */
export interface ActionTargets {
  readonly session: FolderSession;
  readonly host: FolderHost;
  /** Edits the name in its row; false when the row cannot be edited in place now. */
  readonly startRenameInPlace: (id: number) => boolean;
  /** Moves the keyboard focus to an entry of the shown folder once it has arrived and no dialog is open. */
  readonly focusEntry: (name: string) => void;
}

/** Where an action is offered besides the keyboard. */
export type ActionPlace =
  'selection' | 'entryMenu' | 'folderMenu' | 'newMenu' | 'uploadMenu' | 'phoneMenu' | 'header';

/** An action as a value: bars, menus, the palette, the help and the keyboard all read the same list. */
export interface ActionEntry {
  /** Its text is `actions.<id>` in the `files` namespace. */
  readonly id: string;
  readonly icon: ComponentType;
  /** Such as `F2` or `Mod+C`; the first one is shown. */
  readonly keys: readonly string[];
  readonly places: readonly ActionPlace[];
  /** Actions of one group stand together in menus. */
  readonly group: 'open' | 'edit' | 'clipboard' | 'create' | 'view' | 'delete';
  readonly isDangerous?: boolean;
  readonly isOffered: (context: ActionContext) => boolean;
  /** Performs the action. Menus may call it long after they were opened, hence the function. */
  readonly run: (targets: () => ActionTargets) => void;
}
