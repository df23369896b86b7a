// Generates the manual page of the program from its help texts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { top } from './prepare.mjs';

/** Returns the output of the built program for these arguments. */
export function programOutput(...args) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(top, 'server', 'dist', 'main.js'), ...args],
    { encoding: 'utf8', env: { PATH: process.env.PATH, COLUMNS: '80' } },
  );
  if (status !== 0) throw new Error(`filestead ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

const escape = (text) =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^([.'])/gm, String.raw`\&$1`);

/** Returns the manual page filestead(1) as roff. `date` is that of the version. */
export function manualPage(version, date) {
  const section = (title, text) => `.SH ${title}\n.nf\n${escape(text.trim())}\n.fi\n`;
  return [
    `.TH FILESTEAD 1 "${date.toISOString().slice(0, 10)}" "Filestead ${version}"`,
    '.SH NAME',
    String.raw`filestead \- self\-hosted web file manager`,
    section('SYNOPSIS', 'filestead [options] [folder]\nfilestead <command> [options]').trimEnd(),
    section('COMMANDS', programOutput('help')).trimEnd(),
    section('OPTIONS', programOutput('--help')).trimEnd(),
    '',
  ].join('\n');
}
