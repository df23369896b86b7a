import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocaleCode } from '@filestead/contract/values/locales';
import type { Plugin } from 'vite';
import { withEnglishFallback, type Texts } from './src/i18n/english-fallback.ts';
import { languageTagOf } from './src/i18n/language-tag.ts';
import { coreNamespaces } from './src/i18n/namespaces.ts';

const folder = join(import.meta.dirname, 'src', 'i18n', 'locales');
const prefix = 'virtual:texts';
/** Marks virtual modules, by the convention of bundlers. */
const resolved = (id: string): string => `\0${id}`;

const namespacesOf = (locale: string): string[] =>
  readdirSync(join(folder, locale))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));

const fileOf = (locale: string, name: string): string => join(folder, locale, `${name}.json`);

function readTexts(locale: string, name: string): Texts {
  const file = fileOf(locale, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Texts) : {};
}

/** Returns the source of a module that exports some namespaces of a locale by name. Missing texts are in English. */
function textsModule(locale: string, namespaces: readonly string[]): string {
  const entries = namespaces.map((name) => {
    const tag = languageTagOf(locale as LocaleCode);
    const texts = withEnglishFallback(readTexts(locale, name), readTexts('en', name), tag);
    return `${JSON.stringify(name)}: ${JSON.stringify(texts)}`;
  });
  return `export const texts = { ${entries.join(', ')} };\n`;
}

/**
 * Provides `virtual:texts`, which has the texts of every locale in two parts that are fetched on demand: those of the
 * first page, and all others. One file per namespace would put hundreds of addresses into the code of the first page.
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
        const namespaces = namespacesOf('en').filter((name) => isCore(name) === (part === 'core'));
        for (const name of namespaces) {
          this.addWatchFile(fileOf('en', name));
          this.addWatchFile(fileOf(locale, name));
        }
        return textsModule(locale, namespaces);
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
