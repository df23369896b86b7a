import type { ScopeRoot } from '../paths/locate.ts';
import { traverse, type TraverseOptions, type TreeFolder } from './traverse.ts';

/**
 * Asks `admit` for everything in the tree below `top`, before anything is touched: where it really lies, and where it
 * would lie below each of `places` (names from the root). Does nothing in an area that admits everything.
 */
export async function measureTree(
  scopeRoot: ScopeRoot,
  top: TreeFolder,
  places: readonly (readonly string[])[],
  options: TraverseOptions,
): Promise<void> {
  const { admit } = scopeRoot;
  if (admit === undefined) return;
  const ask = (real: readonly string[], relative: readonly string[]): void => {
    admit(real);
    for (const place of places) admit([...place, ...relative]);
  };
  for await (const event of traverse(scopeRoot, top, options)) {
    const { names, relative } = event.at;
    if (event.kind === 'enter') ask(names, relative);
    else if (event.kind === 'linked') ask(event.target.names, [...relative, event.name]);
    else if (event.kind === 'entries') {
      for (const { name } of event.entries) ask([...names, name], [...relative, name]);
    }
  }
}
