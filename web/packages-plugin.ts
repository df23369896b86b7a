import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'vite';

/** Writes the paths of all package modules in the build to `file`, as JSON, for the license list. */
export function listPackages(file: string): Plugin {
  return {
    name: 'list-packages',
    apply: 'build',
    generateBundle() {
      const modules = [...this.getModuleIds()].filter((id) => id.includes('/node_modules/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(modules.toSorted()));
    },
  };
}
