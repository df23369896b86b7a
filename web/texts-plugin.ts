import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { coreNamespaces } from './src/i18n/namespaces.ts';

const folder = join(import.meta.dirname, 'src', 'i18n', 'locales');
const prefix = 'virtual:texts';
/** Marks modules that no file stands for, as bundlers agree to. */
const resolved = (id: string): string => `\0${id}`;

const namespacesOf = (locale: string): string[] =>
  readdirSync(join(folder, locale))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));

/** A module that imports some namespaces of a locale and exports them by name. */
function textsModule(locale: string, namespaces: readonly string[]): string {
  const lines = namespaces.map(
    (name, position) =>
      `import text${position} from ${JSON.stringify(join(folder, locale, `${name}.json`))};`,
  );
  const entries = namespaces.map((name, position) => `${JSON.stringify(name)}: text${position}`);
  return `${lines.join('\n')}\nexport const texts = { ${entries.join(', ')} };\n`;
}

/**
 * `virtual:texts` knows the texts of every locale in two parts that are fetched when they are needed: those of the first page,
 * and all others. A file for each namespace would put hundreds of addresses into the first page's code.
 */
export function texts(): Plugin {
  const isCore = (name: string): boolean => coreNamespaces.some((core) => core === name);
  return {
    name: 'texts',
    resolveId(id) {
      return id === prefix || id.startsWith(`${prefix}/`) ? resolved(id) : null;
    },
    load(id) {
      if (!id.startsWith(resolved(prefix))) return null;
      const [, locale, part] = id.split('/');
      if (locale !== undefined) {
        return textsModule(
          locale,
          namespacesOf(locale).filter((name) => isCore(name) === (part === 'core')),
        );
      }
      const locales = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'common.json')));
      const entries = locales.map(
        (name) =>
          `${JSON.stringify(name)}: { core: () => import('${prefix}/${name}/core'), more: () => import('${prefix}/${name}/more') }`,
      );
      return `export const loadersOf = { ${entries.join(', ')} };\n`;
    },
  };
}
