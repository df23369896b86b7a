declare module 'virtual:texts' {
  import type { Texts } from './english-fallback.ts';

  type LoadPart = () => Promise<{ texts: Texts }>;
  /** By locale: loaders of the texts of the first page, and of all others (web/texts-plugin.ts). */
  export const loadersOf: Readonly<Record<string, { core: LoadPart; more: LoadPart }>>;
}
