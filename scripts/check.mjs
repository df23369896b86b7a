// npm run check: types, lint, format, boundaries between the parts, dead code, and conventions. As many steps run at once as the
// machine has cores, the longest first; the output of each is printed when it ends.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { findUnconventional } from './lib/conventions.mjs';
import { ensureInstalled, requireNode, tool, top } from './lib/prepare.mjs';

requireNode();
ensureInstalled();

/** Runs a script of an installed package. Resolves to its output, and whether it succeeded. */
const runScript = (packageName, script, args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [tool(packageName, script), ...args], {
      cwd: top,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.once('error', ({ message }) => resolve({ output: message, isPassed: false }));
    child.once('close', (status) => resolve({ output: output.trim(), isPassed: status === 0 }));
  });

async function checkConventions() {
  const findings = findUnconventional();
  return { output: findings.join('\n'), isPassed: findings.length === 0 };
}

const steps = [
  // The compiler in Go; dependency-cruiser needs the one in JavaScript.
  ['types', () => runScript('typescript-native', 'bin/tsc', ['-b'])],
  [
    'boundaries',
    () =>
      runScript('dependency-cruiser', 'bin/dependency-cruise.mjs', [
        'contract',
        'server',
        'web',
        '--config',
        '.dependency-cruiser.cjs',
      ]),
  ],
  ['dead code', () => runScript('knip', 'bin/knip.js', [])],
  ['lint', () => runScript('oxlint', 'bin/oxlint', ['--deny-warnings'])],
  ['format', () => runScript('oxfmt', 'bin/oxfmt', ['--list-different', '.'])],
  ['conventions', checkConventions],
];

const failed = [];
async function runSteps() {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [name, run] = step;
    const { output, isPassed } = await run();
    console.log(`check: ${name}${isPassed ? '' : ' FAILED'}${output === '' ? '' : `\n${output}`}`);
    if (!isPassed) failed.push(name);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, runSteps));
if (failed.length > 0) {
  console.error(`check: failed: ${failed.join(', ')}`);
  process.exit(1);
}
