import { maxPathDepth } from '@filestead/contract/paths/virtual-path';
import { isExcluded, isExcludedName } from '../paths/exclusions.ts';
import { at, closeFolder, type Folder, isSame, openFolder } from '../paths/folder.ts';
import type { SharedScopeRoot } from '../paths/shared-scope-root.ts';
import { isErrno } from '../paths/syscalls.ts';
import { isReservedName } from '../paths/temporary-names.ts';
import { namesOf } from './scan-protocol.ts';

/** The errors for a name that is not, or no longer, a folder: it does not exist, or is a link or a file. */
const goneCodes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/**
 * Opens folders by their paths, name by name from the root, without following symbolic links. Keeps the folders above the last
 * one open, so that the next path that shares them is opened quickly. Treats excluded entries as missing, and so a folder that
 * is the same as one above it (a bind mount).
 */
export class FolderCursor {
  readonly #scopeRoot: SharedScopeRoot;
  readonly #open: { readonly name: string; readonly folder: Folder }[] = [];

  constructor(scopeRoot: SharedScopeRoot) {
    this.#scopeRoot = scopeRoot;
  }

  /** Returns the open folder at `path`, valid until the next call, or the reason why there is none. */
  open(path: string): Folder | 'gone' | 'unreadable' {
    const names = namesOf(path);
    if (names.length > maxPathDepth) return 'gone';
    let shared = 0;
    while (shared < names.length && this.#open[shared]?.name === names[shared]) shared++;
    this.#close(shared);
    for (const name of names.slice(shared)) {
      const folder = this.#enter(name);
      if (typeof folder === 'string') return folder;
      this.#open.push({ name, folder });
    }
    return this.#current;
  }

  get #current(): Folder {
    return this.#open.at(-1)?.folder ?? this.#scopeRoot.root;
  }

  #enter(name: string): Folder | 'gone' | 'unreadable' {
    const parent = this.#current;
    const { confinement, exclusions, root } = this.#scopeRoot;
    if (isReservedName(name) || isExcludedName(exclusions, parent, name)) return 'gone';
    let folder: Folder;
    try {
      folder = openFolder(confinement, at(parent, name)).sync();
    } catch (error) {
      return isErrno(error, ...goneCodes) ? 'gone' : 'unreadable';
    }
    const isLoop = isSame(root, folder) || this.#open.some((opened) => isSame(opened.folder, folder));
    if (!isLoop && !isExcluded(exclusions, folder)) return folder;
    closeFolder(folder);
    return 'gone';
  }

  #close(length: number): void {
    for (let top = this.#open.length; top > length; top--) {
      const closed = this.#open.pop();
      if (closed !== undefined) closeFolder(closed.folder);
    }
  }

  /** Closes all folders except the root. */
  close(): void {
    this.#close(0);
  }
}
