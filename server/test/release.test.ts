import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface State {
  readonly version: string;
  readonly currentVersion: string;
  readonly changelog: string;
  readonly changes: readonly string[];
  readonly headCommit: string;
  readonly tagCommit: string | null;
}

interface ReleaseState {
  readonly readReleaseState: (folder: string, version: string) => State;
  readonly findReleaseProblems: (state: State) => string[];
  readonly writeVersion: (folder: string, version: string, date: string) => boolean;
  readonly commitVersion: (folder: string, version: string) => void;
  readonly tagVersion: (folder: string, version: string) => void;
  readonly releasesAddressOf: (manifest: object) => string | null;
}

interface Part {
  readonly title: string;
  readonly make: (folder: string, options: { readonly level: number }) => void | Promise<void>;
  readonly isLast?: boolean;
}

interface ReleaseParts {
  readonly assertSameChecksums: (first: string, second: string) => void;
  readonly makeRelease: (
    folder: string,
    parts: readonly Part[],
    options: {
      readonly level: number;
      readonly prepare: () => void;
      readonly report: (title: string, seconds: number) => void;
    },
  ) => Promise<string>;
}

interface Manifests {
  readonly repositoryOf: (manifest: object) => string | null;
  readonly fillTemplate: (template: string, values: object) => string;
  readonly writeManifests: (
    folder: string,
    release: { readonly version: string; readonly repository: string | null },
  ) => void;
}

const load = (name: string): Promise<unknown> =>
  import(new URL(`../../scripts/lib/${name}.mjs`, import.meta.url).href);
const { readReleaseState, findReleaseProblems, writeVersion, commitVersion, tagVersion, releasesAddressOf } =
  (await load('release-state')) as ReleaseState;
const { assertSameChecksums, makeRelease } = (await load('release-parts')) as ReleaseParts;
const { repositoryOf, fillTemplate, writeManifests } = (await load('manifests')) as Manifests;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-release-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const state: State = {
  version: '0.2.0',
  currentVersion: '0.1.0',
  changelog: '# Changelog\n\n## 0.2.0 (unreleased)\n\n- News.\n\n## 0.1.0 (2026-01-02)\n\n- First.\n',
  changes: [],
  headCommit: 'a'.repeat(40),
  tagCommit: null,
};

describe('the checks before a release', () => {
  test('accept a clean tree with a section of the changelog and without the tag', () => {
    expect(findReleaseProblems(state)).toEqual([]);
  });

  test('accept a version that is set, dated and tagged at this commit, as in the release workflow', () => {
    const tagged = { ...state, version: '0.1.0', tagCommit: state.headCommit };
    expect(findReleaseProblems(tagged)).toEqual([]);
  });

  test.each(['', 'v0.2.0', '0.2', '0.2.0-rc.1', '00.2.0', '0.2.0 '])('refuse the version “%s”', (version) => {
    expect(findReleaseProblems({ ...state, version })).toEqual([
      `“${version}” is not a version: name three numbers, as in npm run release -- 1.2.3`,
    ]);
  });

  test.each([
    [
      'a lower version',
      { currentVersion: '0.10.0' },
      '0.2.0 is lower than the version of package.json, 0.10.0',
    ],
    [
      'changes in the tree',
      { changes: ['M a', '?? b'] },
      'the tree has changes; commit or remove them: M a, ?? b',
    ],
    [
      'a changelog without the version',
      { changelog: '## 0.1.0 (unreleased)\n\n- News.\n' },
      'CHANGELOG.md has no section “## 0.2.0 (unreleased)”',
    ],
    [
      'an empty section of the changelog',
      { changelog: '## 0.2.0 (unreleased)\n\n## 0.1.0 (2026-01-02)\n\n- First.\n' },
      'the section 0.2.0 of CHANGELOG.md is empty',
    ],
    [
      'a tag at another commit',
      { tagCommit: 'b'.repeat(40) },
      'the tag v0.2.0 belongs to another commit, bbbbbbbbbbbb',
    ],
  ])('refuse %s', (_title, difference, problem) => {
    expect(findReleaseProblems({ ...state, ...difference })).toEqual([problem]);
  });
});

test('a release writes the version into every file that has it, commits and tags it, and does so once', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const manifest =
    '{ "version": "0.1.0", "dependencies": { "@filestead/contract": "0.1.0", "other": "0.1.0" } }';
  const workspaces = ['contract', 'server', 'web', 'e2e', 'bench'];
  write('package.json', manifest);
  for (const name of workspaces) write(`${name}/package.json`, manifest);
  const packages = Object.fromEntries(
    ['', ...workspaces].map((name) => [name, JSON.parse(manifest) as object]),
  );
  write('package-lock.json', JSON.stringify({ version: '0.1.0', packages }));
  const versionModule = (version: string, address: string): string =>
    `export const version = '${version}';\nexport const releasesAddress: string | null = ${address};\n`;
  write('server/src/version.ts', versionModule('0.1.0', 'null'));
  write('docs/guides/install.md', 'tar -xf filestead-0.1.0-linux-x64.tar.xz; 10.1.0.1; filestead_0.1.01\n');
  write('CHANGELOG.md', state.changelog);
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@localhost');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  expect(findReleaseProblems(readReleaseState(folder, '0.2.0'))).toEqual([]);

  expect(writeVersion(folder, '0.2.0', '2026-02-03')).toBe(true);
  commitVersion(folder, '0.2.0');
  tagVersion(folder, '0.2.0');
  const changed =
    '{ "version": "0.2.0", "dependencies": { "@filestead/contract": "0.2.0", "other": "0.1.0" } }';
  for (const name of ['.', ...workspaces]) expect(read(`${name}/package.json`)).toBe(changed);
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    version: '0.2.0',
    packages: Object.fromEntries(['', ...workspaces].map((name) => [name, JSON.parse(changed) as object])),
  });
  expect(read('server/src/version.ts')).toBe(versionModule('0.2.0', 'null'));
  expect(read('docs/guides/install.md')).toBe(
    'tar -xf filestead-0.2.0-linux-x64.tar.xz; 10.1.0.1; filestead_0.1.01\n',
  );
  expect(read('CHANGELOG.md')).toContain('## 0.2.0 (2026-02-03)\n');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('release: set version 0.2.0');

  const tagged = readReleaseState(folder, '0.2.0');
  expect(tagged.tagCommit).toBe(tagged.headCommit);
  expect(findReleaseProblems(tagged)).toEqual([]);
  expect(writeVersion(folder, '0.2.0', '2026-02-04')).toBe(false);
});

describe('the files of a release', () => {
  const part = (name: string, content: () => string): Part => ({
    title: name,
    make: (to, { level }) => writeFileSync(join(to, name), `${content()} ${level}`),
  });

  test('are listed with their hashes, and compared with those of a second run', async () => {
    let runs = 0;
    const reported: string[] = [];
    const parts = [part('b.txt', () => 'same'), part('a.txt', () => 'same')];
    const differing = [...parts, part('c.txt', () => `run ${runs}`)];
    const prepare = (): void => {
      runs += 1;
    };
    const make = (name: string, from: readonly Part[]): Promise<string> =>
      makeRelease(join(folder, name), from, { level: 3, prepare, report: (title) => reported.push(title) });

    const first = await make('first', parts);
    // The SHA-256 of “same 3”.
    const hash = '6bbaee77bf87ee53339b9a7803f742edd319106764a81c0a8fe66429b8f2abcc';
    expect(first.split('\n').map((line) => line.slice(64))).toEqual(['  a.txt', '  b.txt', '']);
    expect(readFileSync(join(folder, 'first', 'SHA256SUMS'), 'utf8')).toBe(first);
    expect(first.startsWith(hash)).toBe(true);
    expect(reported).toEqual(['b.txt', 'a.txt']);
    const second = await make('second', parts);
    expect(runs).toBe(2);
    expect(() => assertSameChecksums(first, second)).not.toThrow();

    const [third, fourth] = [await make('third', differing), await make('fourth', differing)];
    expect(() => assertSameChecksums(third, fourth)).toThrow('these files differ between two builds: c.txt');
    expect(() => assertSameChecksums(first, third)).toThrow('these files differ between two builds: c.txt');
    await expect(make('first', parts)).rejects.toThrow('exists; remove it or name another folder with --to');
  });

  test('are made first if others are made from them', async () => {
    let size = 0;
    const reader: Part = {
      title: 'reader',
      make: (to) => {
        size = readFileSync(join(to, 'slow.txt')).length;
      },
      isLast: true,
    };
    const slow: Part = {
      title: 'slow',
      make: async (to) => {
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(join(to, 'slow.txt'), 'slow');
      },
    };
    const options = { level: 3, prepare: () => undefined, report: () => undefined };
    await makeRelease(join(folder, 'ordered'), [reader, slow], options);
    expect(size).toBe(4);
  });
});

describe('the manifests of package managers that the community maintains', () => {
  const repository = 'https://github.com/owner/name';
  const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64'];
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const nameOf = (platform: string): string =>
    `filestead-0.2.0-${platform}.${platform === 'win-x64' ? 'zip' : 'tar.xz'}`;
  const makeArchives = (): void => {
    for (const platform of platforms) writeFileSync(join(folder, nameOf(platform)), platform);
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  test('name the version, and the address and the hash of each archive', () => {
    makeArchives();
    writeManifests(folder, { version: '0.2.0', repository });
    const covered = {
      'filestead.rb': platforms.filter((platform) => platform !== 'win-x64'),
      PKGBUILD: ['linux-x64', 'linux-arm64'],
      'filestead.spec': ['linux-x64', 'linux-arm64'],
      'filestead.winget.yaml': ['win-x64'],
    };
    for (const [name, own] of Object.entries(covered)) {
      const text = read(name);
      expect(text).toContain('0.2.0');
      expect(text).not.toContain('{{');
      expect(platforms.filter((platform) => text.includes(hashOf(platform)))).toEqual(
        platforms.filter((platform) => own.includes(platform)),
      );
      for (const platform of own)
        expect(text).toContain(`${repository}/releases/download/v0.2.0/${nameOf(platform)}`);
    }
  });

  test('have the form of their package managers', () => {
    makeArchives();
    writeManifests(folder, { version: '0.2.0', repository });
    const winget = parse(read('filestead.winget.yaml')) as Record<string, unknown>;
    expect(winget).toMatchObject({
      PackageVersion: '0.2.0',
      ManifestType: 'singleton',
      InstallerType: 'zip',
    });
    expect(execFileSync('bash', ['-n', join(folder, 'PKGBUILD')], { encoding: 'utf8' })).toBe('');
    const fields = execFileSync(
      'bash',
      [
        '-c',
        'source "$0"; echo "$pkgname $pkgver ${arch[*]} ${#sha256sums_x86_64}"',
        join(folder, 'PKGBUILD'),
      ],
      { encoding: 'utf8' },
    );
    expect(fields).toBe('filestead-bin 0.2.0 x86_64 aarch64 64\n');
    const sections = [...read('filestead.spec').matchAll(/^%(\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(
      expect.arrayContaining(['description', 'prep', 'install', 'pre', 'post', 'preun', 'postun', 'files']),
    );
    const formula = read('filestead.rb');
    const opened = formula.match(/^ *(?:class|def|on_\w+ do|service do|test do)\b/gm) ?? [];
    expect(formula.match(/^ *end$/gm)).toHaveLength(opened.length);
  });

  test('are refused without an archive or with an unknown placeholder', () => {
    expect(() => writeManifests(folder, { version: '0.2.0', repository })).toThrow('the manifests need');
    expect(() => fillTemplate('{{unknown}}', {})).toThrow('{{unknown}}, which has no value');
  });

  test('take the repository from package.json; version --check uses it only if it is on GitHub', () => {
    expect(repositoryOf({})).toBeNull();
    expect(repositoryOf({ repository: { type: 'git', url: 'git+https://github.com/owner/name.git' } })).toBe(
      repository,
    );
    expect(releasesAddressOf({ repository })).toBe('https://api.github.com/repos/owner/name/releases/latest');
    expect(releasesAddressOf({ repository: 'https://forge.example/owner/name' })).toBeNull();
    expect(releasesAddressOf({})).toBeNull();
  });
});

const workflow = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '.github', 'workflows', name), 'utf8');

test('a release is built only after the tests of all packages', () => {
  interface Workflow {
    jobs: Record<string, { uses?: string; needs?: string; steps?: { run?: string }[] }>;
  }
  const { packages } = (parse(workflow('ci.yml')) as Workflow).jobs;
  expect(packages?.steps?.map(({ run }) => run)).toContain('npm test -- packages');
  const { test, build } = (parse(workflow('release.yml')) as Workflow).jobs;
  expect(test?.uses).toBe('./.github/workflows/ci.yml');
  expect(build?.needs).toBe('test');
});

test('the workflows name every action by its commit, and write permissions only in the job that publishes', () => {
  for (const name of ['ci.yml', 'release.yml']) {
    const { permissions } = parse(workflow(name)) as { permissions: object };
    expect(permissions).toEqual({ contents: 'read' });
    const actions = [...workflow(name).matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(3);
    for (const action of actions) {
      expect(action).toMatch(/^(?:\.\/\.github\/workflows\/ci\.yml|[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    }
  }
  const { jobs } = parse(workflow('release.yml')) as { jobs: Record<string, { permissions?: object }> };
  const writers = Object.entries(jobs).filter(([, { permissions }]) => permissions !== undefined);
  expect(writers.map(([name]) => name)).toEqual(['publish']);
});

test('a zip has the same bytes for the same tree, and other programs unpack it', async ({ skip }) => {
  skip(spawnSync('unzip', ['-v']).status !== 0, 'unzip is not installed');
  const { packZip } = (await load('pack-zip')) as {
    packZip: (
      parent: string,
      name: string,
      file: string,
      options: { readonly seconds: number; readonly level: number },
    ) => void;
  };
  mkdirSync(join(folder, 'tree', 'bin'), { recursive: true });
  const files = { 'a.txt': 'a'.repeat(10_000), 'bin/run': '#!/bin/sh\n', empty: '' };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, 'tree', name), text, { mode: name === 'bin/run' ? 0o755 : 0o644 });
  }
  const [one, two] = ['one.zip', 'two.zip'].map((name) => join(folder, name)) as [string, string];
  for (const file of [one, two]) packZip(folder, 'tree', file, { seconds: 1_795_692_412, level: 1 });
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
  execFileSync('unzip', ['-q', one, '-d', join(folder, 'unpacked')]);
  for (const [name, text] of Object.entries(files)) {
    expect(readFileSync(join(folder, 'unpacked', 'tree', name), 'utf8')).toBe(text);
  }
  expect(statSync(join(folder, 'unpacked', 'tree', 'bin', 'run')).mode & 0o777).toBe(0o755);
});
