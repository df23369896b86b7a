// Writes the licenses of all software that the product contains or installs, by the inputs of both builds and the lock file.
// Run by `npm run build`, which fails for a license that is not in the list below and for a package without a license text.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { external } from './build-server.mjs';
import { lockedKey, lockedPackage } from './lib/locked-packages.mjs';

const top = fileURLToPath(new URL('..', import.meta.url));
const licenses = join(top, 'packaging', 'licenses');
const webModules = join(top, 'node_modules', '.cache', 'filestead-web-modules.json');

/** SPDX identifiers of the allowed licenses; their conditions are met by the notices and by separate libraries. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'bzip2-1.0.6',
  'ISC',
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MIT',
  'OFL-1.1',
  'Zlib',
]);

/** Licenses of packages whose manifest has none or an outdated form. */
const corrections = { '@react-aria/optimize-locales-plugin': 'Apache-2.0' };

/** Third-party data in the source of the product, with the files of their licenses. */
const data = [
  { title: 'Unicode security data (confusable characters): Unicode-3.0', file: 'unicode.txt' },
  { title: 'GeoNames (names and positions of towns): CC-BY-4.0', file: 'geonames.txt' },
];

/** Returns the licenses of an SPDX expression; of alternatives, the first allowed one. Null if it is not allowed. */
export function licensesOf(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(bare)) {
    for (const part of bare.split(' OR ')) {
      const found = licensesOf(part);
      if (found !== null) return found;
    }
    return null;
  }
  const parts = bare.split(' AND ');
  return parts.every((part) => allowed.has(part)) ? parts : null;
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns the folder of the package that contains the file. */
function packageFolder(path) {
  const [, folder] = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(path) ?? [];
  if (folder === undefined) throw new Error(`${path} belongs to no package`);
  return folder;
}

const licenseFile = /^(?:licen[cs]e|copying|notice|unlicense|ofl)(?:[-._].*)?$/i;

/** Returns the license texts of a package: from `packaging/licenses` if there is one, otherwise its own. None without a folder. */
function textsOf(name, folder, parts) {
  if (folder === null) return [];
  const own = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenseFile.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  const override = join(licenses, `${name.replace('/', '__')}.txt`);
  if (existsSync(override)) return [readFileSync(override, 'utf8').trim()];
  if (own.length > 0) return own;
  return parts.map((part) => {
    const text = join(licenses, `${part}.txt`);
    if (!existsSync(text))
      throw new Error(`licenses: ${name} (${part}) has no text; put it into ${override}`);
    return `(${part}; the text is at the end)`;
  });
}

/** Returns a package with its license and texts. Throws for a license that is not allowed. */
function describePackage(name, version, expression, folder) {
  const license = corrections[name] ?? expression;
  const parts = typeof license === 'string' ? licensesOf(license) : null;
  if (parts === null) {
    throw new Error(
      `licenses: ${name} ${version} has the license ${JSON.stringify(license)}, which is not allowed in scripts/notices.mjs`,
    );
  }
  return { name, version, license, parts, texts: textsOf(name, folder, parts) };
}

function bundledPackages(inputs) {
  const paths = [...Object.keys(inputs).map((path) => join(top, path)), ...readJson(webModules)];
  const folders = new Set(paths.filter((path) => /[/\\]node_modules[/\\]/.test(path)).map(packageFolder));
  return [...folders].map((folder) => {
    const { name, version, license } = readJson(join(folder, 'package.json'));
    return describePackage(name, version, license, folder);
  });
}

/** Returns the packages that npm installs beside the bundle, for all systems. */
function installedPackages() {
  const found = new Map();
  // `platformOf` is the package whose binaries for one platform the visited one belongs to; null for packages of all platforms.
  const visit = (name, from, platformOf) => {
    const path = lockedKey(name, from);
    if (path === undefined || found.has(path)) return;
    const entry = lockedPackage(path);
    const forPlatform =
      platformOf ??
      (entry.optional && (entry.os ?? entry.cpu) !== undefined ? from.split('node_modules/').at(-1) : null);
    const folder = forPlatform === null ? join(top, path) : null;
    const described = describePackage(name, entry.version, entry.license, folder);
    found.set(
      path,
      forPlatform === null
        ? described
        : { ...described, texts: [`Part of ${forPlatform}, for one platform.`] },
    );
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      visit(next, path, forPlatform);
    }
  };
  for (const name of external) visit(name, '', null);
  return [...found.values()];
}

/** Returns the license of a package; of alternatives, also the chosen one. */
const titleOf = ({ license, parts }) =>
  / OR /.test(license) ? `${license}, used under ${parts.join(' AND ')}` : license;

const line = '-'.repeat(80);
const section = (title, texts) => [line, title, line, '', texts.join('\n\n'), ''].join('\n');

const introduction = `Filestead contains or uses the following software of others.

libvips, libheif and liblzma are under the GNU Lesser General Public License. They are separate files, which may be replaced by
changed versions: the packages @img/sharp-libvips-* and libheif-js, and liblzma.wasm in server/dist.
`;

/** Returns the text of the notices: every package with its license, then the shared license texts. */
export function noticesText(inputs) {
  const all = new Map();
  for (const entry of [...bundledPackages(inputs), ...installedPackages()]) {
    all.set(`${entry.name} ${entry.version}`, entry);
  }
  const packages = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shared = [...new Set(packages.flatMap(([, { parts }]) => parts))].toSorted();
  const sections = [introduction];
  for (const [title, entry] of packages) sections.push(section(`${title}: ${titleOf(entry)}`, entry.texts));
  for (const { title, file } of data) {
    sections.push(section(title, [readFileSync(join(licenses, file), 'utf8').trim()]));
  }
  for (const part of shared) {
    const file = join(licenses, `${part}.txt`);
    if (existsSync(file)) sections.push(section(part, [readFileSync(file, 'utf8').trim()]));
  }
  return sections.join('\n').replaceAll('\r\n', '\n');
}

/** Writes the notices beside the bundle of the server and into the web build. */
export function writeNotices(inputs) {
  const text = noticesText(inputs);
  for (const file of [
    join(top, 'server', 'dist', 'THIRD-PARTY-NOTICES.txt'),
    join(top, 'web', 'dist', 'static', 'third-party-notices.txt'),
  ]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
