import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  nodeBinary,
  nodeForPackages,
  nodeVersions,
  runsPackages,
  thisPlatform,
} from '../../scripts/lib/node-binary.mjs';
import { ensureBuilt, npmCommand } from '../../scripts/lib/prepare.mjs';
import { pack } from '../../scripts/pack.mjs';
import {
  bytesBelow,
  hasProgram,
  isWithin,
  megabytes,
  openTestFolder,
  password,
  quick,
  runChecked,
} from './product.mjs';
import { smoke } from './smoke.mjs';

const testFolder = openTestFolder();
const prefix = testFolder.make('prefix');
let tarball;
let npmOutput;
let elapsedMs;

beforeAll(async () => {
  ensureBuilt();
  tarball = await pack(testFolder.folder);
  const [npm, ...before] = npmCommand();
  const node = await nodeForPackages();
  // npm checks `engines` against the Node that runs it, which has to be the one that runs the product.
  const script =
    npm === process.execPath
      ? before[0]
      : runChecked('sh', ['-c', 'realpath "$(command -v npm)"']).stdout.trim();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const begin = performance.now();
  const { stdout, stderr } = runChecked(
    node,
    [script, 'install', '--global', '--prefix', prefix, '--cache', testFolder.make('cache'), tarball],
    { cwd: testFolder.folder, env },
  );
  elapsedMs = performance.now() - begin;
  npmOutput = `${stdout}${stderr}`;
});
afterAll(() => testFolder.remove());

const isWindows = process.platform === 'win32';
/** On Windows npm has neither `bin` nor `lib` in a prefix. */
const program = () =>
  join(prefix, isWindows ? '' : 'lib', 'node_modules', 'filestead', 'bin', 'filestead.js');

test(
  'npm installs the package into an empty prefix without a warning and without an install script',
  quick,
  () => {
    // Warnings about the npm settings of this machine do not concern the package.
    const lines = npmOutput.split('\n').filter((line) => !/Unknown (?:user|env|global) config/.test(line));
    expect(lines.filter((line) => /warn|script/i.test(line))).toEqual([]);
    expect(existsSync(join(prefix, isWindows ? 'filestead.cmd' : 'bin/filestead'))).toBe(true);
  },
);

test('the package stays within its size limits', quick, () => {
  expect(isWithin('npm package', megabytes(statSync(tarball).size), 7, 'MB')).toBe(true);
  expect(isWithin('npm package, installed', megabytes(bytesBelow(prefix)), 50, 'MB')).toBe(true);
  // The time depends on the machine and the registry: printed, not asserted.
  isWithin('npm install with an empty cache', elapsedMs / 1_000, 15, 's');
});

test.skipIf(runsPackages())('a Node that is too old is refused in one sentence', quick, () => {
  const { stdout, stderr } = runChecked(process.execPath, [program()], { expected: 1 });
  expect(stdout).toBe('');
  expect(stderr).toContain(`Filestead needs Node 22.15 or newer; this is Node ${process.versions.node}.`);
  expect(stderr).not.toContain('at ');
});

const nodes = [nodeVersions.platforms[thisPlatform], ...(nodeVersions.alsoTested[thisPlatform] ?? [])].filter(
  Boolean,
);
describe.each(nodes)('the installed package on Node $version', (entry) => {
  // A quick run has the Node of the other packages.
  test('passes all checks', entry === nodes[0] ? quick : {}, async () => {
    const node = await nodeBinary(thisPlatform, entry);
    const served = testFolder.make(`served-${entry.version}`);
    const { match, child, ended } = await testFolder.start(node, [program(), served, '--port', '0'], {
      cwd: testFolder.folder,
      env: { PATH: process.env.PATH, HOME: testFolder.folder, FILESTEAD_PASSWORD: password },
    });
    const skipped = hasProgram('ffmpeg') ? [] : ['film'];
    const passed = skipped.length === 0 ? 36 : 34;
    expect(await smoke(match[1], password, skipped)).toEqual({ passed, all: 36, failures: [] });
    child.kill('SIGTERM');
    // Windows has no signals: the process is ended at once, without a status.
    expect(await ended).toBe(isWindows ? null : 0);
  });
});
