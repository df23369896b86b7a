// npm run release -- VERSION [--to FOLDER] [--level 0…9] [--partial]: checks the repository, sets the version, makes all files of the
// release twice, compares their hashes, and tags the commit. See docs/guides/releasing.md. Nothing is uploaded.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryOf } from './lib/manifests.mjs';
import { ensureInstalled, rebuild, requireNode, top } from './lib/prepare.mjs';
import { assertSameChecksums, makeRelease, missingNeeds, releaseParts } from './lib/release-parts.mjs';
import {
  commitVersion,
  findReleaseProblems,
  readReleaseState,
  tagVersion,
  writeVersion,
} from './lib/release-state.mjs';

requireNode();
ensureInstalled();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    level: { type: 'string', default: '6' },
    partial: { type: 'boolean', default: false },
  },
});
const [version] = positionals;
const problems = findReleaseProblems(readReleaseState(top, version));
if (positionals.length > 1) problems.push('name one version only');

const parts = [];
for (const part of releaseParts) {
  const missing = missingNeeds(part);
  if (missing.length === 0) parts.push(part);
  else if (values.partial) console.log(`LEFT OUT: ${part.title}, which needs ${missing.join(', ')}`);
  else problems.push(`${part.title} needs ${missing.join(', ')} (--partial leaves it out and does not tag)`);
}
if (problems.length > 0) {
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exit(1);
}

const now = new Date().toISOString().slice(0, 10);
if (writeVersion(top, version, now)) {
  commitVersion(top, version);
  console.log(`release: committed version ${version}`);
}
const { maintainer } = await import('./deb.mjs');
if (maintainer.includes('.invalid>')) {
  console.log(
    `NOTE: the maintainer of the Debian package, ${maintainer}, has no address yet: see package.json`,
  );
}

if (repositoryOf(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))) === null) {
  console.log(
    'NOTE: package.json has no repository yet: the manifests for package managers contain no valid addresses, and version --check sends no request',
  );
}

const folder = resolve(values.to ?? join(top, 'release', `filestead-${version}`));
const comparison = mkdtempSync(join(tmpdir(), 'filestead-release-'));
try {
  const report = (title, seconds) => console.log(`release: ${title} (${seconds.toFixed(0)} s)`);
  const options = { level: Number(values.level), prepare: rebuild, report };
  const first = await makeRelease(folder, parts, options);
  console.log('release: everything a second time, in another folder and time zone');
  process.env.TZ = 'Asia/Tokyo';
  assertSameChecksums(first, await makeRelease(join(comparison, 'second'), parts, options));
  console.log(first.trimEnd());
} finally {
  rmSync(comparison, { recursive: true, force: true });
}
if (values.partial) {
  console.log(`The files are in ${folder}. The commit is not tagged (--partial).`);
} else {
  tagVersion(top, version);
  console.log(`The files are in ${folder}. The commit is tagged v${version}; push both to publish it.`);
}
