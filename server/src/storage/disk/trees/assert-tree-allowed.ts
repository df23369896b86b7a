import { sameNames } from '../disk.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { traverse, type TraverseOptions, type TreeFolder } from './traverse.ts';

/**
 * Calls the guard of the scope for every entry of the tree below `top`, before anything is changed: with its real path, and
 * with its path below each of `prefixes` (names from the root). Does nothing in a scope without a guard.
 */
export async function assertTreeAllowed(
  scopeRoot: ScopeRoot,
  top: TreeFolder,
  prefixes: readonly (readonly string[])[],
  options: TraverseOptions,
): Promise<void> {
  const { assertAllowed, mayDenyBelow } = scopeRoot;
  if (assertAllowed === undefined) return;
  // Links that are followed lead to other folders.
  if (mayDenyBelow !== undefined && options.followLinks !== true) {
    const folders = [top.names, ...prefixes];
    for (const names of folders) assertAllowed(names);
    if (!folders.some(mayDenyBelow)) return;
  }
  const distinct = prefixes.filter(
    (names, index) => prefixes.findIndex((earlier) => sameNames(earlier, names)) === index,
  );
  // Unless links are followed, names below the top are the same in both paths if those of the top are.
  const others =
    options.followLinks === true ? distinct : distinct.filter((names) => !sameNames(names, top.names));
  const check = (real: readonly string[], relative: readonly string[]): void => {
    assertAllowed(real);
    for (const prefix of others) assertAllowed([...prefix, ...relative]);
  };
  const checkIn = (folders: readonly (readonly string[])[], name: string): void => {
    for (const names of folders) assertAllowed(names, name);
  };
  for await (const event of traverse(scopeRoot, top, { ...options, readsAhead: true })) {
    const { names, relative } = event.at;
    if (event.kind === 'enter') check(names, relative);
    else if (event.kind === 'linked') check(event.target.names, [...relative, event.name]);
    else if (event.kind === 'entries') {
      const folders = [names, ...others.map((prefix) => prefix.concat(relative))];
      for (const { name } of event.entries) checkIn(folders, name);
    }
  }
}
