import { join } from 'node:path';

interface Module {
  readonly importedIds: readonly string[];
}
type FindModule = (id: string) => Module | null;

const app = join(import.meta.dirname, 'src');
const main = join(app, 'main.tsx');
const filesScreen = join(app, 'app', 'files-page.tsx');
const publicScreen = join(app, 'app', 'share-routes.tsx');

/** Everything that `entry` needs before it can run; what it imports later is not part of it. */
function neededBy(entry: string, find: FindModule): Set<string> {
  const needed = new Set<string>();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    waiting.push(...(find(id)?.importedIds ?? []));
  }
  return needed;
}

/**
 * Names the file that a module of ours goes into: `base` for what every screen begins with, `files` for the rest of the
 * files screen, null for what is fetched on demand. Left to itself the bundler cuts what several parts share into dozens of
 * small files: each is a request of its own, and small files compress badly.
 */
export function firstScreens(): (id: string, context: { getModuleInfo: FindModule }) => string | null {
  let groups: { base: Set<string>; files: Set<string> } | undefined;
  return (id, context) => {
    if (groups === undefined) {
      const find: FindModule = (wanted) => context.getModuleInfo(wanted);
      const files = neededBy(filesScreen, find);
      const visitors = neededBy(publicScreen, find);
      const base = neededBy(main, find);
      // It waits for the first screen before it ends; a file that holds it could not be imported by that screen.
      base.delete(main);
      for (const shared of files) if (visitors.has(shared)) base.add(shared);
      groups = { base, files };
    }
    if (groups.base.has(id)) return 'base';
    return groups.files.has(id) ? 'files' : null;
  };
}
