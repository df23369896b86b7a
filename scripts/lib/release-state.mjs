// The checks before a release, and the files that contain the version.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryOf } from './manifests.mjs';

const versionPattern = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;
const workspaces = ['contract', 'server', 'web', 'e2e', 'bench'];
/** Files and folders whose commands and examples name the version. */
const documents = ['README.md', 'docs/guides', 'docs/reference', 'packaging/image'];

const quote = (text) => text.replaceAll('.', String.raw`\.`);

/** Runs git in the repository. Returns its output, or null when it fails. */
function git(folder, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function gitOrThrow(folder, ...args) {
  const output = git(folder, ...args);
  if (output === null) throw new Error(`git ${args[0]} failed`);
  return output;
}

/** Whether the version `a` is lower than `b`. Both have three numbers. */
function isLower(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const index = left.findIndex((number, position) => number !== right[position]);
  return index !== -1 && left[index] < right[index];
}

/** The address of the document about the newest release, for `version --check`; null unless the repository is on GitHub. */
export function releasesAddressOf(manifest) {
  const match = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)$/.exec(repositoryOf(manifest) ?? '');
  return match === null ? null : `https://api.github.com/repos/${match[1]}/releases/latest`;
}

/** The heading and the text of the section of a version in the changelog; null where there is none. */
export function changelogSection(changelog, version) {
  const heading = new RegExp(String.raw`^## ${quote(version)} \((unreleased|\d{4}-\d\d-\d\d)\)$`, 'm');
  const match = heading.exec(changelog);
  if (match === null) return null;
  const [text] = changelog.slice(match.index + match[0].length).split(/^## /m);
  return { heading: match[0], date: match[1] === 'unreleased' ? null : match[1], text: text.trim() };
}

/** The state of the repository in `folder` that the checks of a release need. */
export function readReleaseState(folder, version) {
  return {
    version,
    currentVersion: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
    changelog: readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
    changes: gitOrThrow(folder, 'status', '--porcelain').split('\n').filter(Boolean),
    headCommit: gitOrThrow(folder, 'rev-parse', 'HEAD'),
    tagCommit: git(folder, 'rev-parse', '--verify', '--quiet', `refs/tags/v${version}^{commit}`),
  };
}

/** The reasons why the version cannot be released from this state, each with its remedy. */
export function findReleaseProblems({ version, currentVersion, changelog, changes, headCommit, tagCommit }) {
  if (!versionPattern.test(version ?? '')) {
    return [`“${version ?? ''}” is not a version: name three numbers, as in npm run release -- 1.2.3`];
  }
  const problems = [];
  if (isLower(version, currentVersion)) {
    problems.push(`${version} is lower than the version of package.json, ${currentVersion}`);
  }
  if (changes.length > 0) {
    problems.push(`the tree has changes; commit or remove them: ${changes.join(', ')}`);
  }
  const section = changelogSection(changelog, version);
  if (section === null) problems.push(`CHANGELOG.md has no section “## ${version} (unreleased)”`);
  else if (section.text === '') problems.push(`the section ${version} of CHANGELOG.md is empty`);
  if (tagCommit !== null && tagCommit !== headCommit) {
    problems.push(`the tag v${version} belongs to another commit, ${tagCommit.slice(0, 12)}`);
  }
  return problems;
}

/**
 * Writes the version into manifests, lock file, server and documents, and the date into the changelog. Returns whether anything
 * changed; a tree that has the version and a dated section stays as it is.
 */
export function writeVersion(folder, version, date) {
  const former = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  let isChanged = false;
  const edit = (file, change) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const changed = change(text);
    if (changed === text) return;
    writeFileSync(join(folder, file), changed);
    isChanged = true;
  };
  const inManifest = new RegExp(`("(?:version|@filestead/[a-z0-9]+)": ")${quote(former)}"`, 'g');
  for (const file of ['package.json', ...workspaces.map((name) => `${name}/package.json`)]) {
    edit(file, (text) => text.replaceAll(inManifest, `$1${version}"`));
  }
  edit('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.version = version;
    for (const key of ['', ...workspaces]) {
      const entry = lock.packages[key];
      entry.version = version;
      for (const name of Object.keys(entry.dependencies ?? {})) {
        if (name.startsWith('@filestead/')) entry.dependencies[name] = version;
      }
    }
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  const releases = releasesAddressOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  edit('server/src/version.ts', (text) =>
    text
      .replace(`'${former}'`, `'${version}'`)
      .replace(
        /(releasesAddress: string \| null = )[^;]+/,
        `$1${releases === null ? 'null' : `'${releases}'`}`,
      ),
  );
  const inDocument = new RegExp(String.raw`(filestead[-_: ])${quote(former)}(?!\d)`, 'gi');
  for (const file of gitOrThrow(folder, 'ls-files', '--', ...documents)
    .split('\n')
    .filter(Boolean)) {
    edit(file, (text) => text.replaceAll(inDocument, `$1${version}`));
  }
  edit('CHANGELOG.md', (text) => text.replace(`## ${version} (unreleased)`, `## ${version} (${date})`));
  return isChanged;
}

/** Commits all changed files as the version. */
export function commitVersion(folder, version) {
  gitOrThrow(folder, 'commit', '--quiet', '--all', '--message', `release: set version ${version}`);
}

/** Tags the commit with the version. An existing tag of that commit stays. */
export function tagVersion(folder, version) {
  if (git(folder, 'rev-parse', '--verify', '--quiet', `refs/tags/v${version}`) !== null) return;
  gitOrThrow(folder, 'tag', '--annotate', `v${version}`, '--message', `Filestead ${version}`);
}
