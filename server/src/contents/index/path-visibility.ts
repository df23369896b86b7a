import type { Visibility } from '../../access/rules/visible-part.ts';
import { LimitedMap } from '../../limited-map.ts';

/** The maximum number of folders whose state is cached. */
const maxFolders = 10_000;

/** Decides by their paths which files below a folder a user may list. */
export class PathVisibility {
  readonly #visibility: Visibility;
  readonly #folders = new LimitedMap<string, boolean>(maxFolders);

  constructor(visibility: Visibility) {
    this.#visibility = visibility;
  }

  /** Whether a listing of the folders from the top down to the file at `below` would show it. */
  shows(below: string): boolean {
    const { allowsEverything, hidesDotfiles } = this.#visibility;
    if (allowsEverything && !hidesDotfiles) return true;
    return this.#allows(below) && this.#showsFolder(below.slice(0, Math.max(0, below.lastIndexOf('/'))));
  }

  /** Whether the folder and all folders above it are shown; the empty path is the top. */
  #showsFolder(below: string): boolean {
    const unknown: string[] = [];
    let isShown = true;
    for (let at = below; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const known = this.#folders.get(at);
      if (known !== undefined) {
        isShown = known;
        break;
      }
      unknown.push(at);
    }
    for (const folder of unknown.reverse()) {
      isShown &&= this.#allows(folder);
      this.#folders.set(folder, isShown);
    }
    return isShown;
  }

  #allows(below: string): boolean {
    const name = below.slice(below.lastIndexOf('/') + 1);
    return !(this.#visibility.hidesDotfiles && name.startsWith('.')) && this.#visibility.allows(below);
  }
}
