import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files by their paths below a folder; a path that ends with a slash is a folder. */
export type Files = Readonly<Record<string, Uint8Array | null>>;

/**
 * The content of a folder: the hash of each file, and null for each folder. Links and special files are named as such.
 */
export type Tree = ReadonlyMap<string, string | null>;

/** The name of an unfinished file of the server. */
export const temporaryName = /^\.filestead-[0-9a-f]{32}\.part$/i;

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Returns bytes of which any part identifies the file. */
export function contentOf(name: string, bytes: number): Buffer {
  const line = createHash('sha256').update(name).digest();
  const content = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += line.length) {
    line.copy(content, at);
    if (at + 4 <= bytes) content.writeUInt32LE(at, at);
  }
  return content;
}

/** Creates `files` in `folder`, with the folders above them. */
export function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(content === null ? target : dirname(target), { recursive: true });
    if (content !== null) writeFileSync(target, content);
  }
}

/** Returns the tree of `files`. */
export function treeOf(files: Files): Tree {
  const tree = new Map<string, string | null>();
  for (const [path, content] of Object.entries(files)) {
    const names = path.split('/').filter((name) => name !== '');
    for (let depth = 1; depth < names.length; depth++) tree.set(names.slice(0, depth).join('/'), null);
    tree.set(names.join('/'), content === null ? null : hashOf(content));
  }
  return tree;
}

const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

/** Reads the tree below `folder`, with unfinished files separately. */
export function readTree(folder: string): { tree: Tree; temporary: string[] } {
  const tree = new Map<string, string | null>();
  const temporary: string[] = [];
  const walk = (relative: string): void => {
    for (const entry of entriesOf(join(folder, relative))) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (temporaryName.test(entry.name)) temporary.push(path);
      else if (entry.isDirectory()) {
        tree.set(path, null);
        walk(path);
      } else if (entry.isFile()) tree.set(path, hashOf(readFileSync(join(folder, path))));
      else tree.set(path, `not a file (${lstatSync(join(folder, path)).mode})`);
    }
  };
  walk('');
  return { tree, temporary };
}

const isEqual = (a: Tree, b: Tree): boolean =>
  a.size === b.size && [...a].every(([path, content]) => b.has(path) && b.get(path) === content);

const under = (tree: Tree, folder: string): Tree =>
  new Map([...tree].filter(([path]) => path === folder || path.startsWith(`${folder}/`)));

/** The effect of an operation on a tree, with which the state after a kill is checked. */
export interface Change {
  readonly before: Tree;
  readonly after: Tree;
  /** New folders that appear as a whole or not at all. */
  readonly whole?: readonly string[];
}

/**
 * Returns the errors of `found` after an operation that was killed. After a successful response it must be the new
 * state; otherwise each path has its old or its new content, and all content that the operation keeps still exists
 * somewhere.
 */
export function findLosses(
  { before, after, whole = [] }: Change,
  found: Tree,
  hasResponse: boolean,
): string[] {
  const describe = (tree: Tree): string =>
    JSON.stringify([...tree].map(([p, h]) => [p, h?.slice(0, 6) ?? null]));
  if (hasResponse)
    return isEqual(found, after)
      ? []
      : [`the result of a request that got a response is missing: ${describe(found)}`];
  const losses: string[] = [];
  for (const [path, content] of found) {
    const isKnown = [before, after].some((tree) => tree.has(path) && tree.get(path) === content);
    if (!isKnown) losses.push(`${path} has neither its old nor its new content`);
  }
  for (const [path, content] of before) {
    if (after.has(path) && after.get(path) === content && found.get(path) !== content)
      losses.push(`${path} is lost`);
    if (after.has(path) && !found.has(path)) losses.push(`${path} is missing under its name`);
  }
  const rest = new Set(found.values());
  const kept = new Set([...before.values()].filter((content) => [...after.values()].includes(content)));
  for (const content of kept) {
    if (content !== null && !rest.has(content)) losses.push('content that the operation keeps is lost');
  }
  for (const folder of whole) {
    const part = under(found, folder);
    if (part.size > 0 && !isEqual(part, under(after, folder)))
      losses.push(`${folder} exists only in part: ${describe(part)}`);
  }
  return losses;
}
