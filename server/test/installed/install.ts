import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The script that Node runs. */
    program: string;
    /** The Node that runs it: the packages need a newer one than the sources. */
    node: string;
    /** The folder of the installed package. */
    packageFolder: string;
  }
}

/** Installs the built product for the tests of this project. */
export default async function install(project: TestProject): Promise<void> {
  const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'lib', 'installed.mjs');
  const { installProduct } = (await import(pathToFileURL(script).href)) as {
    installProduct(): Promise<{ folder: string; program: string; node: string; note: string | null }>;
  };
  const { folder, program, node, note } = await installProduct();
  if (note !== null) process.stdout.write(`${note}\n`);
  project.provide('program', program);
  project.provide('node', node);
  project.provide('packageFolder', folder);
}
