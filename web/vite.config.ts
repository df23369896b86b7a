import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { contractTexts } from './contract-texts-plugin.ts';
import { firstScreens } from './first-screens.ts';
import { listPackages } from './packages-plugin.ts';
import { precompress } from './precompress.ts';
import { serviceWorker } from './service-worker-plugin.ts';
import { texts } from './texts-plugin.ts';

/** The address of the server for `npm run dev`. */
const devServer = process.env['FILESTEAD_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

const vendor = /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|zustand)\//u;

const ownModules = /\/(?:web|contract)\/src\/.*[.]tsx?$|node_modules\/lucide-react\//u;

const shareParts =
  /\/web\/src\/(?:api\/public-share|i18n\/expiry|ui\/(?:copy-address|names\/icon-picture))[.]tsx?$/u;
const folderParts =
  /\/web\/src\/features\/files\/(?:jobs\/foreign-jobs|totals\/(?:folder-totals|request-totals)|live\/user-activity)[.]ts$|\/contract\/src\/endpoints\/find[.]ts$/u;
const pageParts =
  /\/web\/src\/(?:app\/(?:frame\/frame-title|history\/use-undo-keys|home\/use-(?:home-keys|new-actions)|marks\/(?:list-marked|use-is-favorite)|resources\/list-search|scattered\/list-(?:entries|rows)|shares\/own-shares)|features\/(?:files\/entries\/(?:place-name|run-many)|marks\/tag-dot|previews\/(?:file-addresses|has-text-preview)|shares\/share-target|space\/(?:map-tree|squarify))|i18n\/(?:format-dimensions|path-text)|ui\/(?:feedback\/skeleton|fields\/(?:folder-filter|position-slider)|selection\/phone-selection-top|(?:hooks|keyboard)\/[^/]+))[.]tsx?$/u;

/**
 * The location of a built file. Of the eight characters that a hash has by default seven are left, the fewest that the
 * bundler accepts: the first load names some 250 files.
 */
const hashedName = 'static/assets/[name]-[hash:7]';

/** The languages in which the component library has its few own texts; Icelandic uses the English ones. */
const componentLocales = [
  'ar-AE',
  'de-DE',
  'en-US',
  'es-ES',
  'fr-FR',
  'he-IL',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'pt-PT',
  'ro-RO',
  'ru-RU',
  'sk-SK',
  'sv-SE',
  'tr-TR',
  'uk-UA',
  'zh-CN',
  'zh-TW',
];

export default defineConfig({
  root: import.meta.dirname,
  // Links relative to the location of each file: the server completes only those of the page, so that one build works
  // below any base URL.
  base: './',
  plugins: [
    react(),
    texts(),
    contractTexts(),
    { ...optimizeLocales.vite({ locales: componentLocales }), enforce: 'pre' },
    serviceWorker(),
    precompress(),
    listPackages(join(import.meta.dirname, '..', 'node_modules', '.cache', 'filestead-web-modules.json')),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with `light-dark()` and `:has()`; for older ones the build would rewrite the tokens in a way
    // that makes a dark part of a light page light.
    cssTarget: ['chrome123', 'safari17.5', 'firefox121'],
    manifest: true,
    assetsDir: 'static/assets',
    // The page's content security policy forbids data: scripts; fonts and icons are better cached than inlined into a
    // style sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: `${hashedName}.js`,
        chunkFileNames: `${hashedName}.js`,
        assetFileNames: `${hashedName}[extname]`,
        codeSplitting: {
          // Code that every screen needs and that changes only with a dependency: one file that stays cached across
          // releases.
          groups: [
            { name: 'vendor', test: vendor },
            { debugName: 'first screens', name: firstScreens(), test: ownModules },
            // Small modules that are loaded on demand by several features: each further file adds its name to the first load.
            { name: 'share-parts', test: shareParts },
            { name: 'page-parts', test: pageParts },
            // Parts of an open folder that are loaded after its rows: they compress better together.
            { name: 'folder-parts', test: folderParts },
          ],
        },
      },
    },
    // The bench measures the compressed size instead.
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': devServer, '/health': devServer },
  },
});
