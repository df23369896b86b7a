import type { Permissions } from '@filestead/contract/values/permissions';
import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEntry } from '../entries/entry.ts';

/** What the files screen needs to know of the signed-in user. */
export interface FolderUser {
  readonly perm: Permissions;
  readonly viewMode: ViewMode;
  readonly sorting: Sorting;
  readonly singleClick: boolean;
  /** Exact dates instead of short ones. */
  readonly dateFormat: boolean;
  /** After a copy or a move the destination is shown. */
  readonly redirectAfterCopyMove: boolean;
}

/** What the files screen needs from the application around it. */
export interface FolderHost {
  readonly user: FolderUser;
  /** Saves a choice of the user. Throws `ApiError`. */
  readonly saveUser: (change: { viewMode?: ViewMode; sorting?: Sorting }) => Promise<void>;
  /** Shows a folder, with one of its entries selected when it is named. */
  readonly openFolder: (path: VirtualPath, reveal?: string) => void;
  readonly openFile: (path: VirtualPath) => void;
  /** The whole address of an entry's screen, for other people who may see it. */
  readonly addressOf: (path: VirtualPath, isFolder: boolean) => string;
  readonly chooseUploads: (kind: 'files' | 'folder') => void;
  readonly dropUploads: (destination: VirtualPath, data: DataTransfer) => void;
  /** Uploads the files of a paste event to the folder that is shown. */
  readonly pasteUploads: (data: DataTransfer) => void;
  /** Opens the search below a folder. */
  readonly openSearch: (folder: VirtualPath) => void;
  /** Opens the links to one entry. */
  readonly share: (entry: FileEntry) => void;
  readonly isPhone: boolean;
}
