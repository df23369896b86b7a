import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { readServerRecord } from '../config/server-record.ts';
import type { Reporter } from './report.ts';

/** What a terminal does not show as a letter: control and format characters, line and paragraph separators. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return String.raw`\x${code.toString(16).padStart(2, '0')}`;
  return String.raw`\U${code.toString(16).padStart(8, '0')}`;
}

/** Text as one word for a shell. What is invisible is escaped in the form of bash, zsh and ksh (`$'…'`). */
export function shellWord(text: string): string {
  if (/^[\w./:@%+,-]+$/.test(text)) return text;
  const whole = text.toWellFormed();
  if (!invisible.test(whole)) return `'${whole.replaceAll("'", String.raw`'\''`)}'`;
  const inner = [...whole.replaceAll(/[\\']/g, String.raw`\$&`)];
  return `$'${inner.map((character) => (invisible.test(character) ? escaped(character) : character)).join('')}'`;
}

/** Whether the served folder is known: it was chosen, or the database is inside. */
export const knowsRoot = ({ isRootChosen, database, root }: Config): boolean =>
  isRootChosen || database.startsWith(`${root.replace(/\/$/, '')}/`);

/** The folder to serve: the one that was chosen here, else the one that File Browser served. */
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

/**
 * The flags that make the server serve as before, ready for a shell: the folder and the data of this import, from whichever folder
 * it is started, and the other start-up options of File Browser. Whether commands run is for the administrator to decide anew.
 *
 * @param configFile  the configuration file that was named for this import
 */
export function startFlags(
  record: unknown,
  config: Config,
  { configFile, reporter }: { configFile: string | undefined; reporter: Reporter },
): string[] {
  const { root: former, enableExec, disableExec: _, ...others } = readServerRecord(record).options;
  if (enableExec !== undefined) {
    reporter.note(
      'start-up option',
      'enableExec',
      'commands are off here unless the server is started with it',
    );
  }
  const places = {
    root: rootOf(config, former, reporter),
    data: config.data,
    ...(config.database === join(config.data, 'filestead.db') ? {} : { database: config.database }),
    ...(configFile === undefined ? {} : { config: configFile }),
  };
  return Object.entries({ ...places, ...others }).map(([name, value]) => `--${name}=${shellWord(value)}`);
}
