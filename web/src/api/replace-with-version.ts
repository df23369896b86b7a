import { restoreVersion } from '@filestead/contract/endpoints/versions';
import { call } from './call.ts';

/**
 * Replaces a file with one of its versions. Returns the function that undoes it: it restores the replaced state, or does nothing where
 * the file did not exist. Throws the errors of {@link call}.
 */
export async function replaceWithVersion(id: string): Promise<() => Promise<void>> {
  const { replaced } = await call(restoreVersion, { body: { id } });
  return async () => {
    if (replaced !== null) await call(restoreVersion, { body: { id: replaced } });
  };
}
