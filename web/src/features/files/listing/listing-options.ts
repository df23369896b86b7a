import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { ColumnKey } from '@filestead/contract/values/listing-columns';
import type { ReactNode, Ref } from 'react';
import type { ListingItem } from './model/listing-entries.ts';
import type { PhotoGroups } from './photos/photo-layout.ts';
import type { LoadMedia } from './photos/photo-view.ts';
import type { ListingModel } from './model/listing-model.ts';

/** A position on the screen, in px of the viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A drop of entries that were dragged within this page. */
export interface MoveRequest {
  /** The folder on which they were dropped; null for the shown folder, which the drag of another folder can reach. */
  readonly targetId: number | null;
  /** Whether the copy key was held. */
  readonly copy: boolean;
}

/** The look of entries of several folders, such as the results of a search. */
export interface ScatteredLook {
  /** The heading of the entries; empty without one. */
  readonly heading: string;
  /** The own headings of columns: that of the folders, by which the list is not sorted, is the column of kinds. */
  readonly headers: Readonly<Partial<Record<ColumnKey, string>>>;
  /** Renders the name of an entry. */
  readonly name: (item: ListingItem) => ReactNode;
  /** Renders the folder that contains an entry. */
  readonly location: (item: ListingItem) => ReactNode;
  /** Renders a part of the entry below its name, in two lines of the list. */
  readonly excerpt?: ((item: ListingItem) => ReactNode) | undefined;
  /** Returns the date that is shown instead of that of the modification, in Unix milliseconds. */
  readonly dateOf?: ((item: ListingItem) => number) | undefined;
}

export interface ListingProps {
  readonly model: ListingModel;
  readonly view: ViewMode;
  /** Null if the entries are in an order of their own, as the best matches of a search are. */
  readonly sorting: Sorting | null;
  /** Whether dates are shown to the second instead of as "Today 14:02". */
  readonly isExactDate: boolean;
  /** Whether a single click opens. */
  readonly singleClick: boolean;
  readonly can: { readonly rename: boolean; readonly create: boolean };
  /** The name of the folder, for the label of the listing and "Upload 4 items to Lisbon". */
  readonly folderName: string;
  /** The row height of the list on the desktop; default: 40. */
  readonly rowHeightPx?: number | undefined;
  /** The width of a tile column on the desktop; default: 280. */
  readonly tileWidthPx?: number | undefined;
  /** Returns the address of a thumbnail, or null without one; called for images and videos only. */
  readonly thumbnailUrl?: ((name: string, modifiedMs: number, id: number) => string | null) | undefined;
  /** Renders the cover of a folder among tiles; absent if folders have none. */
  readonly folderCover?: ((id: number) => ReactNode) | undefined;
  /** The look of entries of several folders; absent where the entries of one folder are listed. */
  readonly scattered?: ScatteredLook | undefined;
  /** Whether entries may have tags, which have a column in wide windows. */
  readonly hasTags?: boolean | undefined;
  /** Requests the sizes and dates of pictures and videos; without it the size of a picture is known once it is loaded. */
  readonly loadMedia?: LoadMedia | undefined;
  /** The groups of photos when they are sorted by date; default: day. */
  readonly photoGroups?: PhotoGroups | undefined;
  /** Returns the full address of an entry, so that it can be opened in another tab. */
  readonly addressOf?: ((id: number) => string) | undefined;
  readonly onSort: (sorting: Sorting) => void;
  readonly onOpen: (id: number) => void;
  /** Called when Space is pressed on an entry. Returns false without a preview; then Space selects. */
  readonly onPreview?: ((id: number) => boolean) | undefined;
  /** Called when Escape is pressed. Returns true when it was handled; then the selection remains. */
  readonly onEscape?: (() => boolean) | undefined;
  /** Reloads the listing after it was pulled down with a finger. */
  readonly onRefresh?: (() => Promise<void>) | undefined;
  /**
   * Opens a context menu. `id` is null for the empty space; an entry is already selected. `isByKey` is true for the
   * keyboard.
   */
  readonly onContextMenu: (id: number | null, at: Point, isByKey: boolean) => void;
  /**
   * Called when the selection starts to be dragged. If given, folders open when the drag rests on them; the drop may
   * then occur while another folder is shown, so the owner has to keep the selected entries.
   */
  readonly onDragStart?: (() => void) | undefined;
  readonly onMove?: ((move: MoveRequest) => void) | undefined;
  /**
   * Uploads files from outside; `targetId` is null for the shown folder. Read `data` synchronously, since it is
   * emptied later.
   */
  readonly onDropFiles?: ((targetId: number | null, data: DataTransfer) => void) | undefined;
  readonly onRename: (id: number, newName: string) => void;
  /**
   * Returns the problem with a new name, or null; `id` is null for a new folder. If absent, any name is accepted.
   */
  readonly checkName?: ((id: number | null, newName: string) => string | null) | undefined;
  /**
   * Creates a folder that was named in the listing, and resolves with the reason if that failed; absent if folders cannot be
   * created there.
   */
  readonly onCreateFolder?: ((name: string) => Promise<string | null>) | undefined;
  readonly emptyState: ReactNode;
  readonly handleRef?: Ref<ListingHandle> | undefined;
}

/** The imperative interface of a listing. */
export interface ListingHandle {
  /** Focuses the entry that had the focus last, or the first one; in an empty folder the empty state. */
  focus: () => void;
  /** Focuses an entry and scrolls it into view. */
  focusEntry: (id: number) => void;
  /** Shows a row at the top of the folders in which a new folder is named. */
  startCreate: () => void;
  /** Edits the name in place. */
  startRename: (id: number) => void;
  /** Scrolls the entry into view and moves the cursor to it. */
  reveal: (id: number) => void;
  /** Opens the menu of the focused or selected entry, or else of the folder. */
  openMenu: () => void;
  /** The distance to which the content is scrolled, in px. */
  scrolledPx: () => number;
  scrollTo: (px: number) => void;
  /** Announces a message to screen readers. */
  announce: (message: string) => void;
}
