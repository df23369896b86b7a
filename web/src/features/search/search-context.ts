import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FoundEntry } from './find-entries.ts';

/** The context of the results below the search field. */
export interface SearchContext {
  /** The open folder, and its shown name. */
  readonly folder: VirtualPath;
  readonly folderName: string;
  readonly userId: number;
  /** Returns the address of the thumbnail of a result, or null without one. Absent for users who may not see files. */
  readonly pictureOf?: ((entry: FoundEntry) => string | null) | undefined;
  readonly onOpen: (path: VirtualPath, isFolder: boolean) => void;
  /** Opens the folder that contains the entry and selects it. */
  readonly onReveal: (path: VirtualPath) => void;
}
