/**
 * Import fences (see ARCHITECTURE.md), derived from the folders: a new folder of `server/src` or `web/src/features` is
 * fenced without an entry here. Run by `npm run check`.
 */

/** Folders of `server/src` that features build on, each with what it may import, the lowest first. */
const foundations = {
  programs: [],
  audit: [],
  scheduling: [],
  usernames: [],
  'media-types': [],
  config: ['programs'],
  storage: ['media-types', 'programs', 'scheduling'],
  database: ['config', 'usernames'],
  access: ['audit', 'config', 'database', 'programs', 'scheduling', 'storage', 'usernames'],
  catalogue: ['access', 'config', 'media-types', 'programs', 'storage'],
  contents: ['access', 'catalogue', 'config', 'database', 'media-types', 'programs', 'scheduling', 'storage'],
  http: ['access', 'audit', 'media-types', 'scheduling', 'storage'],
};

/** Folders that put the parts together; they may import all of them. */
const compositions = ['start', 'cli'];
const folders = Object.keys(foundations);
const nonFeatures = [...folders, ...compositions].join('|');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|web|e2e|bench|scripts)/' },
    },
    {
      name: 'web-and-server-meet-only-in-the-contract',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|e2e|bench)/' },
    },
    {
      name: 'server-knows-no-web',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(web|e2e|bench)/' },
    },
    ...folders.map((folder) => ({
      name: `server-${folder}-imports-only-what-is-below-it`,
      severity: 'error',
      from: { path: `^server/src/${folder}/`, pathNot: '[.]test[.]ts$|/testing/' },
      to: {
        path: '^server/src/[^/]+/',
        pathNot: `^server/src/(${[folder, ...foundations[folder]].join('|')})/`,
      },
    })),
    {
      name: 'server-features-do-not-import-each-other',
      severity: 'error',
      from: { path: `^server/src/(?!(?:${nonFeatures})/)([^/]+)/`, pathNot: '[.]test[.]ts$' },
      to: { path: `^server/src/(?!(?:${folders.join('|')})/)[^/]+/`, pathNot: '^server/src/$1/' },
    },
    {
      name: 'server-parts-do-not-import-the-root',
      comment: 'The root composes the server; only what everybody needs is imported from it.',
      severity: 'error',
      from: { path: `^server/src/(?!(?:${compositions.join('|')})/)[^/]+/`, pathNot: '[.]test[.]ts$' },
      to: {
        path: '^server/src/[^/]+$',
        pathNot: '^server/src/(errors|clock|disk-space|format-time|limited-map|ordered-id|version)[.]ts$',
      },
    },
    {
      name: 'web-features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'web-layers',
      comment: 'app composes features; ui, api, i18n and styles know neither.',
      severity: 'error',
      from: { path: '^web/src/(?!app/|features/)[^/]+/' },
      to: { path: '^web/src/(app|features)/' },
    },
    {
      name: 'features-do-not-know-the-app',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/app/' },
    },
    {
      name: 'only-storage-touches-the-disk',
      comment:
        'Configuration, the database file, the served web build, the branding folder and their tests are not user files.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot:
          '^server/src/(storage|database|cli|start|config)/|^server/src/(main|serve)[.]ts$|^server/src/http/page/(web-build|branding)[.]ts$|^server/src/catalogue/columns/catalogue-file[.]ts$|^server/src/contents/index-file[.]ts$|^server/src/previews/(preview-cache|decoder/read-part)[.]ts$|^server/src/programs/(kill-group|thread-time)[.]ts$|[.]test[.]ts$',
      },
      to: { path: '^(node:)?fs(/promises)?$', dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
