import type { Permissions } from '@filestead/contract/values/permissions';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ViewMode } from '@filestead/contract/users';
import type { ComponentType } from 'react';
import type { MenuIcon } from '../../../ui/overlays/menu-icons.ts';
import type { Clipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from '../entries/entry.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import type { FolderSession } from '../folder/folder-session.ts';

/** Maximum size of a selection whose entries are inspected to decide which actions are available. */
export const maxSample = 6;

/**
 * The state that decides whether an action is available. Cheap to create for any selection, since it contains the
 * entries of small ones only.
 */
export interface ActionContext {
  readonly can: Permissions;
  /** The number of selected entries. */
  readonly count: number;
  /** The selected entries; empty when there are more than {@link maxSample}. */
  readonly sample: readonly FileEntry[];
  /** Whether the folder has entries. */
  readonly hasEntries: boolean;
  readonly clipboard: Clipboard | null;
  readonly viewMode: ViewMode;
  readonly isSelecting: boolean;
  readonly areDetailsOpen: boolean;
  /** Whether the server runs commands for users with the permission. */
  readonly hasCommands: boolean;
  readonly isShellOpen: boolean;
  /** Whether the server counts the sizes of folders. */
  readonly hasSizes: boolean;
  /** Whether deleted entries are kept in the trash. */
  readonly hasTrash: boolean;
  /** Whether the entries are those of one folder, in which others can be created. */
  readonly isFolder: boolean;
  /** Whether the user chooses how the entries are shown. */
  readonly hasViews: boolean;
  /** Whether the shown folder is the root. */
  readonly isTop: boolean;
}

/** The folder that an action works on. Read at each use, because the screen changes around it. */
export interface ActionTargets {
  readonly session: FolderSession;
  readonly host: FolderHost;
  /** Starts renaming an entry in its row; returns false when the row cannot be edited at the moment. */
  readonly startRenameInPlace: (id: number) => boolean;
  /** Starts creating a folder in a row of the listing; returns false when there is no such row, as on phones. */
  readonly startCreateInPlace: () => boolean;
  /** Shows the field that filters the listed entries. */
  readonly showFilter: () => void;
  /** Moves the keyboard focus to an entry of the shown folder once it has arrived and no dialog is open. */
  readonly focusEntry: (name: string) => void;
}

/** Returns the only selected entry, else the shown folder. */
export function selectedOrFolder({ session }: ActionTargets): { path: VirtualPath; isFolder: boolean } {
  const [entry] = session.selectedEntries(1);
  return entry ?? { path: session.path, isFolder: true };
}

/** The places where an action is offered besides the keyboard. */
export type ActionPlace =
  | 'selection'
  | 'entryMenu'
  | 'folderMenu'
  | 'newMenu'
  | 'uploadMenu'
  | 'phoneMenu'
  | 'header';

/** An action as a value: bars, menus, the palette, the help and the keyboard all read the same list. */
export interface ActionEntry {
  /** The id; its text is `actions.<id>` in the `files` namespace. */
  readonly id: string;
  /** A component for bars, or the name of an icon of menus; undefined if neither shows the action. */
  readonly icon?: ComponentType | MenuIcon;
  /** The shortcuts, such as `F2` or `Mod+C`; the first one is shown. */
  readonly keys: readonly string[];
  readonly places: readonly ActionPlace[];
  /** The group of the action in menus. */
  readonly group: 'open' | 'edit' | 'clipboard' | 'create' | 'view' | 'delete';
  readonly isDangerous?: boolean;
  readonly isOffered: (context: ActionContext) => boolean;
  /** Whether the shortcut calls `run` although the action is not offered, to explain which permission is missing. */
  readonly isDenied?: (context: ActionContext) => boolean;
  /** Performs the action. Menus may call it long after they were opened, hence the function. */
  readonly run: (targets: () => ActionTargets) => void;
}
