import type { ScopeRoot } from './locate.ts';

/** The parts of a scope root that a worker needs to read below it, and that can be passed to it. */
export type SharedScopeRoot = Pick<
  ScopeRoot,
  'confinement' | 'root' | 'rootPaths' | 'exclusions' | 'followExternal'
>;

/** Returns the parts of a scope root to pass to a worker. */
export const shareScopeRoot = ({
  confinement,
  root,
  rootPaths,
  exclusions,
  followExternal,
}: ScopeRoot): SharedScopeRoot => ({ confinement, root, rootPaths, exclusions, followExternal });
