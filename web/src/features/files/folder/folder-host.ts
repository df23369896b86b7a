import type { ReactNode } from 'react';
import type { Permissions } from '@filestead/contract/values/permissions';
import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { Version } from '@filestead/contract/endpoints/versions';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEntry } from '../entries/entry.ts';
import type { FolderView } from './folder-views.ts';

/** The properties of the signed-in user that the files screen needs. */
export interface FolderUser {
  readonly perm: Permissions;
  /** The view of the shown folder: the remembered one, otherwise that of the user's settings. */
  readonly viewMode: ViewMode;
  readonly sorting: Sorting;
  readonly singleClick: boolean;
  /** Whether dates are shown exactly instead of short. */
  readonly dateFormat: boolean;
  /** Whether the destination is opened after a copy or move. */
  readonly redirectAfterCopyMove: boolean;
}

/** A part of the details of entries that belongs to another feature: their last operations, their star or their tags. */
export interface DetailsPart {
  readonly kind: 'activity' | 'favorite' | 'tags';
  readonly paths: readonly VirtualPath[];
  readonly isFolder: boolean;
  /** Changes the star, or edits the tags. */
  readonly onChange?: (() => void) | undefined;
}

/** Functions of the surrounding application that the files screen uses. */
export interface FolderHost {
  readonly user: FolderUser;
  /** Remembers a view for the shown folder. */
  readonly saveView: (change: FolderView) => void;
  /** Applies the view of the shown folder to all folders. Throws `ApiError`. */
  readonly useViewForAll: () => Promise<void>;
  /** Opens a folder and selects the entry `reveal`, if given. */
  readonly openFolder: (path: VirtualPath, reveal?: string) => void;
  readonly openFile: (path: VirtualPath) => void;
  /** Enters an archive like a folder. Absent where archives are previewed. */
  readonly openArchive?: (path: VirtualPath) => void;
  /** Returns the full address of an entry's screen, to be shared with other users. */
  readonly addressOf: (path: VirtualPath, isFolder: boolean) => string;
  readonly chooseUploads: (kind: 'files' | 'folder') => void;
  readonly dropUploads: (destination: VirtualPath, data: DataTransfer) => void;
  /** Uploads the files of a paste event to the folder that is shown. */
  readonly pasteUploads: (data: DataTransfer) => void;
  /** Opens the search below a folder. */
  readonly openSearch: (folder: VirtualPath) => void;
  /** Shows what fills a folder. */
  readonly openSpace: (folder: VirtualPath) => void;
  /** Shows what was deleted below a folder. */
  readonly openTrash: (folder: VirtualPath) => void;
  /** Asks for the time to which a folder is rewound. */
  readonly openRewind: (folder: VirtualPath) => void;
  /** Opens the versions of a file. */
  readonly showVersions: (entry: FileEntry) => void;
  /** Replaces a file with one of its versions, and reports the result. */
  readonly restoreVersion: (entry: FileEntry, version: Version) => Promise<void>;
  /** Adds entries to the favorites, or removes them if all are favorites. */
  readonly toggleFavorite: (entries: readonly FileEntry[]) => void;
  /** Edits the tags of entries. */
  readonly editTags: (entries: readonly FileEntry[]) => void;
  /** Opens the shares of an entry. */
  readonly share: (entry: FileEntry) => void;
  /** Renders a part of the details. Its code may be loaded lazily. Absent where there is none. */
  readonly renderPart?: (part: DetailsPart) => ReactNode;
  readonly isPhone: boolean;
}
