import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The context of the results below the search field. */
export interface SearchContext {
  /** The open folder, and its shown name. */
  readonly folder: VirtualPath;
  readonly folderName: string;
  readonly userId: number;
  readonly onOpen: (path: VirtualPath, isFolder: boolean) => void;
  /** Opens the folder that contains the entry and selects it. */
  readonly onReveal: (path: VirtualPath) => void;
}
