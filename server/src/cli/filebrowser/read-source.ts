import { basename } from 'node:path';
import { type Terminal, CliError } from '../command.ts';
import { isRecord } from '../records/parse-record.ts';
import { readFileBytes, readRecordFile } from '../records/record-file.ts';
import { type BoltBucket, BoltError, looksLikeBolt, maxBoltBytes, openBolt } from './read-bolt.ts';
import type { Reporter } from './report.ts';

/** Data of a database of File Browser or its exports, not validated. */
export interface SourceData {
  settings: unknown;
  server: unknown;
  auther: unknown;
  users: unknown[];
  links: unknown[];
}

/** Limits of records. Those of File Browser have a few hundred bytes. */
const maxRecordBytes = 1024 * 1024;
const maxRecords = 200_000;
const maxAllRecordBytes = 256 * 1024 * 1024;

/** Returns the values of a bucket without nested buckets. Throws {@link BoltError} above the limits. */
function valuesOf(bucket: BoltBucket): { key: Buffer; value: Buffer }[] {
  const values: { key: Buffer; value: Buffer }[] = [];
  let bytes = 0;
  for (const entry of bucket.entries()) {
    if ('bucket' in entry) continue;
    bytes += entry.value.length;
    if (values.length >= maxRecords || bytes > maxAllRecordBytes)
      throw new BoltError('the database has too many records');
    values.push(entry);
  }
  return values;
}

/** Parses a record as JSON; undefined, with a report, if that fails. */
function parseJson(value: Buffer, name: string, reporter: Reporter): unknown {
  if (value.length <= maxRecordBytes) {
    try {
      return JSON.parse(value.toString('utf8'));
    } catch {
      // Reported like a record that is too large.
    }
  }
  reporter.skipped('record', name, 'it cannot be read');
  return undefined;
}

/**
 * Returns the records of a bucket. Metadata of File Browser's storage library is skipped; it is not a JSON
 * object.
 */
function recordsOf(bucket: BoltBucket, name: string, reporter: Reporter): unknown[] {
  return valuesOf(bucket)
    .filter(({ value }) => value[0] === 0x7b)
    .map(({ key, value }) => {
      const id = key.length === 8 ? String(key.readBigUInt64BE()) : key.toString('utf8');
      return parseJson(value, `${name} ${id}`, reporter);
    })
    .filter((record) => record !== undefined);
}

function readDatabase(file: Buffer, into: SourceData, reporter: Reporter): void {
  for (const entry of openBolt(file).entries()) {
    if (!('bucket' in entry)) continue;
    const name = entry.key.toString('utf8');
    if (name === 'User') into.users.push(...recordsOf(entry.bucket, name, reporter));
    else if (name === 'Link') into.links.push(...recordsOf(entry.bucket, name, reporter));
    else if (name === 'config') {
      for (const { key, value } of valuesOf(entry.bucket)) {
        const part = key.toString('utf8');
        if (part === 'settings' || part === 'server' || part === 'auther') {
          into[part] = parseJson(value, part, reporter);
        }
      }
    }
  }
}

async function readExport(terminal: Terminal, path: string, into: SourceData): Promise<void> {
  const content = await readRecordFile(terminal, path);
  if (Array.isArray(content)) {
    into.users.push(...content.slice(0, maxRecords));
    return;
  }
  const parts = isRecord(content)
    ? Object.fromEntries(Object.entries(content).map(([key, value]) => [key.toLowerCase(), value]))
    : {};
  if (parts.settings === undefined && parts.server === undefined) {
    throw new CliError('it is neither an export of users nor one of the configuration');
  }
  into.settings = parts.settings;
  into.server = parts.server;
  into.auther = parts.auther;
}

/** Reads database files and exports together. Throws {@link CliError} with the name of the file. */
export async function readSources(
  terminal: Terminal,
  paths: readonly string[],
  reporter: Reporter,
): Promise<SourceData> {
  const data: SourceData = {
    settings: undefined,
    server: undefined,
    auther: undefined,
    users: [],
    links: [],
  };
  for (const path of paths) {
    try {
      const isExport = /\.(?:json|ya?ml)$/i.test(path);
      const file = readFileBytes(terminal, path, maxBoltBytes);
      if (looksLikeBolt(file) || !isExport) readDatabase(file, data, reporter);
      else await readExport(terminal, path, data);
    } catch (error) {
      if (error instanceof BoltError) throw new CliError(`${path}: ${error.message}`, { cause: error });
      if (error instanceof CliError && !error.message.startsWith(path)) {
        throw new CliError(`${path}: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }
  return data;
}

/** Returns the names of the files for the report. */
export const sourceNames = (paths: readonly string[]): string[] => paths.map((path) => basename(path));
