import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const top = join(import.meta.dirname, '..', '..');

/**
 * Bundles the scripts of threads and processes once for all tests, which otherwise start each of them from its source with the
 * development loader, at about ten times the CPU time. The folder is below the top of the tree, where packages are found.
 */
export default async function bundleScripts(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  // Another project of the same run has bundled them.
  if (process.env['FILESTEAD_TEST_SCRIPTS'] !== undefined) return undefined;
  await mkdir(join(top, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(top, '.cache', 'test-scripts-'));
  const script = pathToFileURL(join(top, 'scripts', 'build-server.mjs')).href;
  const { buildServer, external } = (await import(script)) as {
    buildServer(outdir: string): Promise<unknown>;
    readonly external: string[];
  };
  const bundle = async (): Promise<void> => {
    await buildServer(folder);
    // For tests that open a database in processes of their own.
    await build({
      entryPoints: [join(top, 'server', 'src', 'database', 'open-database.ts')],
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external,
      logLevel: 'warning',
    });
  };
  await bundle();
  project.onTestsRerun(bundle);
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  process.env['FILESTEAD_TEST_SCRIPTS'] = JSON.stringify(
    Object.fromEntries(scripts.map((name) => [basename(name, '.js'), join(folder, name)])),
  );
  return () => rm(folder, { recursive: true, force: true });
}
