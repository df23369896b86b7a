import { join } from 'node:path';

interface Module {
  readonly importedIds: readonly string[];
  /** The module's code with its types and JSX compiled; null for modules that are not bundled. */
  readonly code: string | null;
}
type FindModule = (id: string) => Module | null;

const source = join(import.meta.dirname, 'src');
const main = join(source, 'main.tsx');
const filesScreen = join(source, 'app', 'files', 'files-page.tsx');
const publicScreen = join(source, 'app', 'routes', 'share-routes.tsx');

/** The modules of the icons, from `lucide-react`. */
const iconModules = /\/lucide-react\//u;
const iconIndex = /\/lucide-react\/dist\/esm\/lucide-react\.m?js$/u;
const importedIcons = /import\s*\{([^}]*)\}\s*from\s*["'][^"']*\/icons(?:\.ts)?["']/gu;
const exportedIcons = /export\s*\{([^}]*)\}\s*from\s*["']\.\/(icons\/[^"']+)["']/gu;

/**
 * Returns the modules of the icons that the modules `ids` import from `ui/icons.ts`. That file exports the icons of all
 * screens, so that its own imports do not show which of them a screen needs.
 */
function* iconsOf(ids: ReadonlySet<string>, index: string, find: FindModule): Generator<string> {
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of (find(index)?.code ?? '').matchAll(exportedIcons))
    for (const name of names.split(',')) files.set(name.replace(/^.*\bas\b/su, '').trim(), file);
  for (const id of ids)
    for (const [, names = ''] of (find(id)?.code ?? '').matchAll(importedIcons))
      for (const name of names.split(',')) {
        const file = files.get(name.replace(/\bas\b.*$/su, '').trim());
        if (file !== undefined) yield join(index, '..', file);
      }
}

/** Returns all modules that `entry` needs before it can run; dynamic imports are not included. */
function neededBy(entry: string, find: FindModule): Set<string> {
  if (find(entry) === null)
    throw new Error(`${entry} is not a module of the build: correct first-screens.ts`);
  const needed = new Set<string>();
  let index: string | null = null;
  const add = (ids: Iterable<string>): void => {
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (needed.has(id)) continue;
      needed.add(id);
      if (iconIndex.test(id)) index = id;
      else waiting.push(...(find(id)?.importedIds ?? []));
    }
  };
  add([entry]);
  if (index !== null) add(iconsOf(needed, index, find));
  return needed;
}

/**
 * Returns the chunk that one of our modules belongs to: `base` for the code that every screen needs, `files` for the
 * rest of the files screen, `icons` for the icons of all other screens, null for code that is fetched on demand. By
 * default the bundler splits shared code into dozens of small chunks, each of which costs a request and compresses badly.
 */
export function firstScreens(): (id: string, context: { getModuleInfo: FindModule }) => string | null {
  let groups: { base: Set<string>; files: Set<string> } | undefined;
  return (id, context) => {
    if (groups === undefined) {
      const find: FindModule = (id) => context.getModuleInfo(id);
      const files = neededBy(filesScreen, find);
      const visitors = neededBy(publicScreen, find);
      const base = neededBy(main, find);
      // The main module waits for the first screen before its evaluation ends; that screen could not import a chunk
      // that contains it.
      base.delete(main);
      for (const shared of files) if (visitors.has(shared)) base.add(shared);
      groups = { base, files };
    }
    if (groups.base.has(id)) return 'base';
    if (groups.files.has(id)) return 'files';
    return iconModules.test(id) ? 'icons' : null;
  };
}
