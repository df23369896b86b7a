import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Server from '../../serve.ts';
import { requireCached } from './code-cache.ts';

/**
 * Loads the code of the server: the bundle, compiled with the code cache in the data folder, or the source
 * during development. The command line does not need it.
 */
export async function loadServer(data: string): Promise<typeof Server> {
  if (import.meta.url.endsWith('.ts')) return import('../../serve.ts');
  const bundle = fileURLToPath(new URL('./serve.cjs', import.meta.url));
  return requireCached(bundle, join(data, 'code')) as typeof Server;
}
