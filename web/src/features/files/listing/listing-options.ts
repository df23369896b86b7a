import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { ReactNode, Ref } from 'react';
import type { ListingModel } from './model/listing-model.ts';

/** A place on the screen, in px of the viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A drop of entries that were dragged in this page. */
export interface MoveRequest {
  /** The folder they were dropped on; null is the folder that is shown, which another folder's drag can reach. */
  readonly targetId: number | null;
  /** The copy key was held. */
  readonly copy: boolean;
}

export interface ListingProps {
  readonly model: ListingModel;
  readonly view: ViewMode;
  readonly sorting: Sorting;
  /** Dates to the second instead of "Today 14:02". */
  readonly isExactDate: boolean;
  /** One click opens. */
  readonly singleClick: boolean;
  readonly can: { readonly rename: boolean; readonly create: boolean };
  /** What the folder is called, for the name of the listing and "Upload 4 items to Lisbon". */
  readonly folderName: string;
  /** Of the list on the desktop; default: 40. */
  readonly rowHeightPx?: number | undefined;
  /** Of a column of tiles on the desktop; default: 280. */
  readonly tileWidthPx?: number | undefined;
  /** Asked for images and videos only; null when there is no thumbnail. */
  readonly thumbnailUrl?: ((name: string, modifiedMs: number) => string | null) | undefined;
  readonly onSort: (sorting: Sorting) => void;
  readonly onOpen: (id: number) => void;
  /** Space was pressed on an entry. False when it has no preview; then Space selects. */
  readonly onPreview?: ((id: number) => boolean) | undefined;
  /** Escape was pressed. True when it meant something else than the selection, which then stays. */
  readonly onEscape?: (() => boolean) | undefined;
  /** The listing was pulled down by a finger: reads it again. */
  readonly onRefresh?: (() => Promise<void>) | undefined;
  /** `id` is null for the empty space. What was clicked is part of the selection by then. `isByKey`: the keyboard asked. */
  readonly onContextMenu: (id: number | null, at: Point, isByKey: boolean) => void;
  /**
   * The selection begins to be dragged. With this, folders open when the drag rests on them; as the drop may then come
   * while another folder is shown, the owner remembers here what was selected.
   */
  readonly onDragStart?: (() => void) | undefined;
  readonly onMove?: ((move: MoveRequest) => void) | undefined;
  /** Files from outside; `targetId` is null for the folder that is shown. Read `data` at once: it is emptied later. */
  readonly onDropFiles?: ((targetId: number | null, data: DataTransfer) => void) | undefined;
  readonly onRename: (id: number, newName: string) => void;
  /** Says what is wrong with a new name, or null. Without it any name may be sent. */
  readonly checkName?: ((id: number, newName: string) => string | null) | undefined;
  readonly emptyState: ReactNode;
  readonly handleRef?: Ref<ListingHandle> | undefined;
}

/** What the owner of a listing can ask of it. */
export interface ListingHandle {
  /** Gives the keyboard to the entry that had it last, or to the first; in an empty folder to the empty state. */
  focus: () => void;
  /** Gives the keyboard to an entry and brings it into view. */
  focusEntry: (id: number) => void;
  /** Edits the name in place. */
  startRename: (id: number) => void;
  /** Scrolls so that the entry is in view, and puts the cursor on it. */
  reveal: (id: number) => void;
  /** Opens the menu of the entry that has the keyboard or is selected, or else of the folder. */
  openMenu: () => void;
  /** Says something to users of screen readers. */
  announce: (message: string) => void;
}
