// npm run check: types, lint, format, boundaries between the parts, and dead code.
import { ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
const step = (name, ...args) => {
  console.log(`check: ${name}`);
  runTool(...args);
};
step('types', 'typescript', 'bin/tsc', ['-b']);
step('lint', 'oxlint', 'bin/oxlint', ['--deny-warnings']);
step('format', 'prettier', 'bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']);
step('boundaries', 'dependency-cruiser', 'bin/dependency-cruise.mjs', [
  'contract',
  'server',
  'web',
  '--config',
  '.dependency-cruiser.cjs',
]);
step('dead code', 'knip', 'bin/knip.js', []);
