// npm run deb: builds the package for Debian and Ubuntu, filestead_VERSION_amd64.deb, in the current folder.
// node scripts/deb.mjs [--to FOLDER] [--level 0…9] [--arch amd64|arm64]
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { debianPlatforms } from './lib/node-binary.mjs';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';
import { runProgram, runSlowProgram } from './lib/run-program.mjs';
import { normalizeTree, sourceTime, stageProduct, stageShare, version } from './lib/stage-product.mjs';

const packaging = join(top, 'packaging');

/** The author of `package.json`, `Name <address>`, who is the maintainer of the Debian package. */
export const maintainer = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')).author;

/** Returns the `control` file. `kilobytes` is the size of the installed package. */
const control = (architecture, packageVersion, kilobytes) => `Package: filestead
Version: ${packageVersion}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, adduser
Recommends: ffmpeg, bubblewrap
Section: web
Priority: optional
Description: self-hosted web file manager
 Filestead serves a folder to browsers: people browse, upload, preview, edit
 and share files, with accounts, permissions and public links. It has the
 HTTP API of File Browser. The package contains its own Node.
`;

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Filestead

Files: *
Copyright: 2026 The Filestead authors
License: Apache-2.0
 The text is in /usr/share/common-licenses/Apache-2.0.

Comment:
 Licenses of third-party software that Filestead contains are in
 /usr/share/doc/filestead/NOTICES.gz, and that of Node is in
 /usr/lib/filestead/lib/node-LICENSE.
`;

/** Writes a text or bytes with gzip, without time and name, so that the same content results in the same bytes. */
const writeCompressed = (path, content) => writeFileSync(path, gzipSync(content, { level: 9 }));

/** Writes the files of the package into `folder`. */
async function stageDeb(folder, { architecture, packageVersion, seconds }) {
  const copy = (from, to, mode = 0o644) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(join(packaging, from), join(folder, to));
    chmodSync(join(folder, to), mode);
  };
  await stageProduct(join(folder, 'usr/lib/filestead/lib'), debianPlatforms[architecture]);
  // The launcher passes this script to the Node of the package, so a shebang line for another Node is removed.
  const script = join(folder, 'usr/lib/filestead/lib/bin/filestead.js');
  writeFileSync(script, readFileSync(script, 'utf8').replace(/^#!.*\n/, ''));
  chmodSync(script, 0o644);
  copy('bin/filestead', 'usr/lib/filestead/filestead', 0o755);
  mkdirSync(join(folder, 'usr/bin'));
  symlinkSync('../lib/filestead/filestead', join(folder, 'usr/bin/filestead'));
  copy('systemd/filestead.service', 'lib/systemd/system/filestead.service');
  copy('systemd/filestead.socket', 'lib/systemd/system/filestead.socket');
  copy('systemd/commands.conf', 'usr/share/filestead/commands.conf');
  copy('debian/filestead.yaml', 'etc/filestead/filestead.yaml');
  copy('debian/default', 'etc/default/filestead');
  copy('debian/logrotate', 'etc/logrotate.d/filestead');
  copy('debian/lintian-overrides', 'usr/share/lintian/overrides/filestead');

  const share = join(folder, 'share');
  stageShare(share, seconds);
  const documents = join(folder, 'usr/share/doc/filestead');
  mkdirSync(documents, { recursive: true });
  mkdirSync(join(folder, 'usr/share/man/man1'), { recursive: true });
  writeCompressed(
    join(folder, 'usr/share/man/man1/filestead.1.gz'),
    readFileSync(join(share, 'man', 'man1', 'filestead.1')),
  );
  for (const [name, place] of [
    ['filestead.bash', 'usr/share/bash-completion/completions/filestead'],
    ['_filestead', 'usr/share/zsh/vendor-completions/_filestead'],
    ['filestead.fish', 'usr/share/fish/vendor_completions.d/filestead.fish'],
  ]) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    renameSync(join(share, 'completions', name), join(folder, place));
  }
  rmSync(share, { recursive: true });
  const notices = join(folder, 'usr/lib/filestead/lib/THIRD-PARTY-NOTICES.txt');
  writeCompressed(join(documents, 'NOTICES.gz'), readFileSync(notices));
  rmSync(notices);
  writeFileSync(join(documents, 'copyright'), copyright);
  const date = new Date(seconds * 1_000).toUTCString().replace('GMT', '+0000');
  writeCompressed(
    join(documents, 'changelog.gz'),
    `filestead (${packageVersion}) unstable; urgency=medium\n\n  * See the changelog of Filestead.\n\n -- ${maintainer}  ${date}\n`,
  );
  normalizeTree(folder, seconds);
  const kilobytes = runProgram('du', ['-sk', '--apparent-size', folder]).split('\t')[0];
  mkdirSync(join(folder, 'DEBIAN'));
  for (const name of ['postinst', 'prerm', 'postrm']) {
    cpSync(join(packaging, 'debian', name), join(folder, 'DEBIAN', name));
    chmodSync(join(folder, 'DEBIAN', name), 0o755);
  }
  cpSync(join(packaging, 'debian', 'conffiles'), join(folder, 'DEBIAN', 'conffiles'));
  writeFileSync(join(folder, 'DEBIAN', 'control'), control(architecture, packageVersion, kilobytes));
  normalizeTree(folder, seconds);
}

/** Creates the Debian package in `destination`. Returns its path. */
export async function deb(
  destination,
  {
    architecture = 'amd64',
    compression = 'xz',
    level = 6,
    seconds = sourceTime(),
    packageVersion = version,
  } = {},
) {
  const stage = mkdtempSync(join(tmpdir(), 'filestead-deb-'));
  try {
    await stageDeb(stage, { architecture, packageVersion, seconds });
    chmodSync(stage, 0o755);
    mkdirSync(destination, { recursive: true });
    const file = join(resolve(destination), `filestead_${packageVersion}_${architecture}.deb`);
    const options = ['--root-owner-group', `-Z${compression}`, `-z${level}`];
    await runSlowProgram('dpkg-deb', [...options, '--build', stage, file], {
      // xz with several threads writes other bytes than with one.
      env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds), XZ_OPT: '', DPKG_DEB_THREADS_MAX: '1' },
    });
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  ensureInstalled();
  ensureBuilt();
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      level: { type: 'string', default: '6' },
      arch: { type: 'string', default: 'amd64' },
    },
  });
  const to = values.to ?? process.env.INIT_CWD ?? '.';
  console.log(await deb(to, { architecture: values.arch, level: Number(values.level) }));
}
