/** Boundaries between the parts (see ARCHITECTURE.md). Run by `npm run check`. */
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
    {
      name: 'server-features-do-not-import-each-other',
      severity: 'error',
      from: {
        path: '^server/src/(files|jobs|uploads|archives|previews|search|shares|users|sessions|settings|commands)/',
        pathNot: '[.]test[.]ts$',
      },
      to: {
        path: '^server/src/(files|jobs|uploads|archives|previews|search|shares|users|sessions|settings|commands)/',
        pathNot: '^server/src/$1/',
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
      from: { path: '^web/src/(ui|api|i18n|styles)/' },
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
          '^server/src/(storage|database|cli)/|^server/src/(config|given-values|main|data-folder|explain-error|initial-password|open-log)[.]ts$|^server/src/http/(web-build|branding)[.]ts$|^server/src/previews/(preview-cache|decoder/read-part)[.]ts$|[.]test[.]ts$',
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
