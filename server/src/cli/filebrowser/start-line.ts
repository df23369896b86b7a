import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { optionTable } from '../../config/options.ts';
import { knowsRoot } from '../common-options.ts';
import { readServerRecord } from '../config/server-record.ts';
import { isRecord } from '../records/parse-record.ts';
import type { Reporter } from './report.ts';

/** Invisible characters: control and format characters, line and paragraph separators. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return String.raw`\x${code.toString(16).padStart(2, '0')}`;
  return String.raw`\U${code.toString(16).padStart(8, '0')}`;
}

/**
 * Quotes text as one word for a shell. Invisible characters are escaped in the form of bash, zsh and ksh
 * (`$'…'`).
 */
export function shellWord(text: string): string {
  if (/^[\w./:@%+,-]+$/.test(text)) return text;
  const wellFormed = text.toWellFormed();
  if (!invisible.test(wellFormed)) return `'${wellFormed.replaceAll("'", String.raw`'\''`)}'`;
  const characters = [...wellFormed.replaceAll(/[\\']/g, String.raw`\$&`)];
  return `$'${characters.map((character) => (invisible.test(character) ? escaped(character) : character)).join('')}'`;
}

/** Returns the folder to serve: the given one, otherwise the one that File Browser served. */
function rootOf(config: Config, former: string | undefined, reporter: Reporter): string {
  const formerRoot = former === undefined ? undefined : resolve(former);
  if (!knowsRoot(config) && formerRoot !== undefined) {
    reporter.note(
      'start-up option',
      'root',
      `is ${formerRoot} as in File Browser; change it where the files are elsewhere now`,
    );
    return formerRoot;
  }
  if (formerRoot !== undefined && former?.startsWith('/') === true && formerRoot !== config.root) {
    reporter.note('start-up option', 'root', `was ${formerRoot} in File Browser; it is ${config.root} here`);
  }
  return config.root;
}

/** Whether a setting of File Browser is a start-up option here: the permission bits of new files and folders. */
export const isModeSetting = (path: string): boolean => /^settings\.(?:file|dir)Mode$/i.test(path);

/** Returns the options for the permission bits of new files and folders that File Browser used. */
function modesOf(settings: unknown, reporter: Reporter): Record<string, string> {
  const modes: Record<string, string> = {};
  for (const { name, parse } of [optionTable.fileMode, optionTable.folderMode]) {
    const entries = isRecord(settings) ? Object.entries(settings) : [];
    const [, value] = entries.find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
    if (typeof value !== 'number' || value === 0) continue;
    const text = value.toString(8).padStart(4, '0');
    try {
      parse(text);
      modes[name] = text;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'cannot be used';
      reporter.skipped('setting', `settings.${name}`, `${text}: ${reason}`);
    }
  }
  return modes;
}

/**
 * Returns the flags, quoted for a shell, that start the server with the previous options: the folder and the
 * data of this import as absolute paths, and the other start-up options of File Browser. The administrator
 * has to enable commands again.
 * @param configFile the configuration file given for this import
 */
export function startFlags(
  { server, settings }: { server: unknown; settings: unknown },
  config: Config,
  { configFile, reporter }: { configFile: string | undefined; reporter: Reporter },
): string[] {
  const { root: former, enableExec, disableExec: _, ...others } = readServerRecord(server).options;
  if (enableExec !== undefined) {
    reporter.note(
      'start-up option',
      'enableExec',
      'commands are off here unless the server is started with it',
    );
  }
  const pathOptions = {
    root: rootOf(config, former, reporter),
    data: config.data,
    ...(config.database === join(config.data, 'filestead.db') ? {} : { database: config.database }),
    ...(configFile === undefined ? {} : { config: configFile }),
  };
  return Object.entries({ ...pathOptions, ...others, ...modesOf(settings, reporter) }).map(
    ([name, value]) => `--${name}=${shellWord(value)}`,
  );
}
