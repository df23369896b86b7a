import { deserialize, serialize } from 'node:v8';
import type { ScopeRoot } from '../paths/locate.ts';

/** The parts of a scope root that a worker needs to read below it. */
export type SharedScopeRoot = Omit<ScopeRoot, 'assertAllowed' | 'mayDenyBelow' | 'modes'>;

/** Serializes a scope root for {@link deserializeScopeRoot}. */
export function serializeScopeRoot({
  confinement,
  root,
  rootPaths,
  exclusions,
  followExternal,
}: ScopeRoot): Buffer {
  const shared: SharedScopeRoot = { confinement, root, rootPaths, exclusions, followExternal };
  return serialize(shared);
}

/** Reads the bytes of {@link serializeScopeRoot}, which another thread of this process has written. */
export const deserializeScopeRoot = (bytes: Uint8Array): SharedScopeRoot =>
  // Only `serializeScopeRoot` writes these bytes.
  deserialize(bytes) as SharedScopeRoot;
