declare module 'virtual:texts' {
  import type { ResourceLanguage } from 'i18next';

  type LoadPart = () => Promise<{ texts: ResourceLanguage }>;
  /** By locale: loaders of the texts of the first page, and of all others (web/texts-plugin.ts). */
  export const loadersOf: Readonly<Record<string, { core: LoadPart; more: LoadPart }>>;
}
