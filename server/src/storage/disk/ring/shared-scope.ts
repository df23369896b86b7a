import { deserialize, serialize } from 'node:v8';
import type { ScopeRoot } from '../paths/locate.ts';
import { type SharedScopeRoot, shareScopeRoot } from '../paths/shared-scope-root.ts';

/** Serializes a scope root for {@link deserializeScopeRoot}. */
export const serializeScopeRoot = (scopeRoot: ScopeRoot): Buffer => serialize(shareScopeRoot(scopeRoot));

/** Reads the bytes of {@link serializeScopeRoot}, which another thread of this process has written. */
export const deserializeScopeRoot = (bytes: Uint8Array): SharedScopeRoot =>
  // Only `serializeScopeRoot` writes these bytes.
  deserialize(bytes) as SharedScopeRoot;
