import type { ScopeRoot } from '../paths/locate.ts';
import { traverse, type TraverseOptions, type TreeFolder } from './traverse.ts';

/**
 * Asks the guard of the scope about every entry of the tree below `top`, before anything is changed: about its real path, and
 * its path below each of `places` (names from the root). Does nothing in a scope without a guard.
 */
export async function assertTreeAllowed(
  scopeRoot: ScopeRoot,
  top: TreeFolder,
  places: readonly (readonly string[])[],
  options: TraverseOptions,
): Promise<void> {
  const { assertAllowed } = scopeRoot;
  if (assertAllowed === undefined) return;
  const ask = (real: readonly string[], relative: readonly string[]): void => {
    assertAllowed(real);
    for (const place of places) assertAllowed([...place, ...relative]);
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
