// Manifests for package managers that the project does not run itself: Homebrew, Arch Linux, RPM and winget. They are written from
// templates in packaging/foreign with the version, the addresses and the hashes of a release.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './prepare.mjs';

const templates = join(top, 'packaging', 'foreign');

/** The public repository of a manifest of npm, such as `https://github.com/owner/name`; null without one. */
export function repositoryOf({ repository }) {
  const address = typeof repository === 'string' ? repository : (repository?.url ?? '');
  const match = /^(?:git\+)?(https:\/\/[^/]+\/.+?)(?:\.git)?\/?$/.exec(address);
  return match === null ? null : match[1];
}

/** Replaces `{{name argument}}` in a template. Throws for an unknown name. */
export function fillTemplate(template, values) {
  return template.replaceAll(/\{\{(\w+)(?: ([\w-]+))?\}\}/g, (_whole, name, argument) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a manifest contains {{${name}}}, which has no value`);
    return typeof value === 'function' ? value(argument) : value;
  });
}

/** The file name of the archive for a platform. */
export const archiveName = (version, platform) =>
  `filestead-${version}-${platform}.${platform.startsWith('win') ? 'zip' : 'tar.xz'}`;

/**
 * Writes the manifests of the release in `folder` beside its archives. `repository` is the public one; null while the project has none,
 * so that addresses are placeholders. Throws where an archive is missing.
 */
export function writeManifests(folder, { version, repository }) {
  const homepage = repository ?? 'https://filestead.invalid';
  const sha256 = (platform) => {
    const file = join(folder, archiveName(version, platform));
    if (!existsSync(file)) throw new Error(`the manifests need ${file}`);
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  };
  const url = (platform) => `${homepage}/releases/download/v${version}/${archiveName(version, platform)}`;
  for (const name of readdirSync(templates)) {
    const template = readFileSync(join(templates, name), 'utf8');
    writeFileSync(join(folder, name), fillTemplate(template, { version, homepage, url, sha256 }));
  }
}
