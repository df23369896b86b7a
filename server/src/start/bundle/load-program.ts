import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Program from '../../program.ts';

/**
 * Loads the code of the server and of the commands: the bundle, or the sources during development. With `data`,
 * the bundle is compiled with the code cache in that data folder.
 */
export async function loadProgram(data: string | null): Promise<typeof Program> {
  if (import.meta.url.endsWith('.ts')) return import('../../program.ts');
  const bundle = fileURLToPath(new URL('./program.cjs', import.meta.url));
  if (data === null) return createRequire(bundle)(bundle) as typeof Program;
  const { requireCached } = await import('./code-cache.ts');
  return requireCached(bundle, join(data, 'code')) as typeof Program;
}
