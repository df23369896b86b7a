import {
  childOf,
  nameOf,
  parentOf,
  type VirtualPath,
  withNumberSuffix,
} from '@filestead/contract/paths/virtual-path';

/** The highest suffix that is tried for a free name. */
export const maxSuffix = 10_000;

/** Yields the paths `a`, `a(1)`, `a(2)` …, to find a free name. Starts at the suffix `first`; 0 is the path itself. */
export function* numberedPaths(path: VirtualPath, first = 0): Generator<VirtualPath, undefined> {
  for (let number = first; number <= maxSuffix; number++) {
    yield number === 0 ? path : childOf(parentOf(path), withNumberSuffix(nameOf(path), number));
  }
}
