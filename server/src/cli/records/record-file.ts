import { randomBytes } from 'node:crypto';
import {
  openSync,
  closeSync,
  fsyncSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, resolve } from 'node:path';
import { CliError, type Terminal } from '../command.ts';
import { withLowerKeys } from './parse-record.ts';

/** Maximum size of a file, in bytes. */
const maxFileBytes = 64 * 1024 * 1024;

/** Returns the format of a file by its extension. Throws {@link CliError} for others. */
function formatOf(path: string): 'json' | 'yaml' {
  const ending = extname(path).toLowerCase();
  if (ending === '.json') return 'json';
  if (ending === '.yml' || ending === '.yaml') return 'yaml';
  throw new CliError(`${path}: expected a name that ends with .json, .yml or .yaml`);
}

/** Writes a file atomically with mode 600, replacing an existing one. Throws {@link CliError}. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CliError(`${path} cannot be written`, { cause: error });
  }
}

/**
 * Writes a record in the format of the file's extension: JSON indented by four spaces, or YAML with
 * lower-case keys.
 */
export async function writeRecordFile(terminal: Terminal, path: string, record: unknown): Promise<void> {
  const isJson = formatOf(path) === 'json';
  const text = isJson
    ? `${JSON.stringify(record, null, 4)}\n`
    : (await import('../../config/yaml.ts')).stringifyYaml(withLowerKeys(record));
  writePrivateFile(resolve(terminal.cwd, path), text);
}

/** Reads a file up to a maximum size. Throws {@link CliError}. */
export function readFileBytes(terminal: Terminal, path: string, maxBytes: number): Buffer {
  const full = resolve(terminal.cwd, path);
  try {
    const stats = statSync(full);
    if (!stats.isFile()) throw new CliError(`${path} is not a file`);
    if (stats.size > maxBytes) throw new CliError(`${path} is too large`);
    return readFileSync(full);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${path} cannot be read`, { cause: error });
  }
}

/** Parses a JSON or YAML file. Throws {@link CliError} with the line of an error. */
export async function readRecordFile(terminal: Terminal, path: string): Promise<unknown> {
  const format = formatOf(path);
  const text = readFileBytes(terminal, path, maxFileBytes).toString('utf8');
  try {
    if (format === 'json') return JSON.parse(text);
    const { parseYaml } = await import('../../config/yaml.ts');
    return parseYaml(text, { maxAliasCount: 0 });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    throw new CliError(`${path}: ${reason}`, { cause: error });
  }
}
