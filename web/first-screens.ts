import { join } from 'node:path';

interface Module {
  readonly importedIds: readonly string[];
}
type FindModule = (id: string) => Module | null;

const app = join(import.meta.dirname, 'src');
const main = join(app, 'main.tsx');
const filesScreen = join(app, 'app', 'files', 'files-page.tsx');
const publicScreen = join(app, 'app', 'routes', 'share-routes.tsx');

/** Returns all modules that `entry` needs before it can run; dynamic imports are not included. */
function neededBy(entry: string, find: FindModule): Set<string> {
  const needed = new Set<string>();
  const waiting = [entry];
  if (find(entry) === null)
    throw new Error(`${entry} is not a module of the build: correct first-screens.ts`);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    waiting.push(...(find(id)?.importedIds ?? []));
  }
  return needed;
}

/**
 * Returns the chunk that one of our modules belongs to: `base` for the code that every screen needs, `files` for the
 * rest of the files screen, null for code that is fetched on demand. By default the bundler splits shared code into
 * dozens of small chunks, each of which costs a request and compresses badly.
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
    return groups.files.has(id) ? 'files' : null;
  };
}
