import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';

const packages = join(import.meta.dirname, '..', '..', 'node_modules');
const largestBytes = 256 * 1024;
/** More than the 20,000 that count as a real tree. */
const minFiles = 21_000;
/** Number of files that are copied concurrently. */
const batchFiles = 64;

/** The description of a tree of real files. */
export interface RealTree {
  files: number;
  /** A text file at a deep level of the tree, as the names from the root to it. */
  deepText: readonly string[];
}

/**
 * Walks `folder` without following symbolic links. The order is that of the names, so that every file system yields the
 * same tree.
 */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const pending = [''];
  for (let relative = pending.pop(); relative !== undefined; relative = pending.pop()) {
    const entries = await readdir(join(folder, relative), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(relative, entry.name);
      if (entry.isDirectory() && entry.name !== '.cache') pending.push(path);
      else if (entry.isFile()) yield path;
    }
  }
}

/** Whether it is a text file that opens in the editor, unlike Markdown, and has a name that is easy to type. */
const isPlainText = (path: string): boolean =>
  ['.ts', '.js', '.json'].includes(extname(path)) && /^[\w./@\\-]+$/u.test(path);

/**
 * Copies installed packages of this repository into `root` until there are enough files, so that tests use real names,
 * depths and contents. If there are too few, the tree is copied again under another name.
 */
export async function makeRealTree(root: string): Promise<RealTree> {
  const folders = new Map<string, Promise<unknown>>();
  const tree: RealTree = { files: 0, deepText: [] };

  const copy = async (path: string, top: string): Promise<void> => {
    const source = join(packages, path);
    const { size } = await stat(source);
    if (size > largestBytes || tree.files >= minFiles) return;
    tree.files++;
    const target = join(root, top, path);
    const folder = dirname(target);
    const created = folders.get(folder) ?? mkdir(folder, { recursive: true });
    folders.set(folder, created);
    await created;
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    const names = [top, ...path.split(sep)];
    if (size > 0 && size < 16 * 1024 && isPlainText(path) && names.length > tree.deepText.length)
      tree.deepText = names;
  };

  for (let round = 1; tree.files < minFiles; round++) {
    const top = round === 1 ? 'packages' : `packages ${round}`;
    let batch: Promise<void>[] = [];
    for await (const path of filesBelow(packages)) {
      batch.push(copy(path, top));
      if (batch.length < batchFiles) continue;
      await Promise.all(batch);
      batch = [];
      if (tree.files >= minFiles) break;
    }
    await Promise.all(batch);
  }
  return tree;
}
