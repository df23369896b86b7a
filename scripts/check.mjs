// npm run check: types, lint, format, boundaries between the parts, dead code, and conventions.
import { findUnconventional } from './lib/conventions.mjs';
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
console.log('check: conventions');
const findings = findUnconventional();
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);
