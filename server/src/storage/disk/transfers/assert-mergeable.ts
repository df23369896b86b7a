import { AppError } from '../../../errors.ts';
import type { Disk } from '../disk.ts';
import { at, closeFolder, type Folder, type LocatedFolder, openFolder } from '../paths/folder.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { kindAt } from './transfer.ts';
import { traverse, type TraverseOptions, type TreeEvent, type TreeFolder } from '../trees/traverse.ts';

/** Walks the destination in parallel to the source, as deep as both have folders of the same names. */
class Comparison {
  readonly #disk: Disk;
  readonly #target: LocatedFolder;
  /** One folder per level of the source; null where the destination has none, so that no conflict is possible below it. */
  readonly #folders: (Folder | null)[] = [];

  constructor(disk: Disk, target: LocatedFolder) {
    this.#disk = disk;
    this.#target = target;
  }

  async handle(event: TreeEvent): Promise<void> {
    const folder = this.#folders.at(-1) ?? null;
    if (event.kind === 'exit') {
      this.#folders.pop();
      this.#close(folder);
    } else if (event.kind === 'enter') {
      this.#folders.push(event.parent === null ? this.#target.folder : await this.#descend(folder, event.at));
    } else if (folder !== null) {
      const names = event.kind === 'entries' ? event.entries.map(({ name }) => name) : [event.name];
      for (const name of names) {
        const targetNames = [...this.#target.names, ...event.at.relative, name];
        if ((await kindAt(this.#disk, folder, targetNames)) === 'folder')
          throw new AppError('already_exists');
      }
    }
  }

  release(): void {
    for (const folder of this.#folders.splice(0)) this.#close(folder);
  }

  #close(folder: Folder | null): void {
    if (folder !== null && folder !== this.#target.folder) closeFolder(folder);
  }

  async #descend(parent: Folder | null, { name }: TreeFolder): Promise<Folder | null> {
    if (parent === null) return null;
    const stats = await lstatOrNull(parent, name);
    if (stats === null) return null;
    if (!stats.isDirectory()) throw new AppError('already_exists');
    return openFolder(this.#disk.scopeRoot.confinement, at(parent, name)).async();
  }
}

/** Throws `already_exists` when merging `top` into `target` would replace a folder with a file or a file with a folder. */
export async function assertMergeable(
  disk: Disk,
  top: TreeFolder,
  target: LocatedFolder,
  options: TraverseOptions,
): Promise<void> {
  const comparison = new Comparison(disk, target);
  try {
    const walk = traverse(disk.scopeRoot, top, { ...options, avoid: target.folder });
    for await (const event of walk) await comparison.handle(event);
  } finally {
    comparison.release();
  }
}
