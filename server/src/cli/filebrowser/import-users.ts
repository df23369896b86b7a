import { UserChange, sortKeys, viewModes } from '@filestead/contract/users';
import { knownLocale } from '@filestead/contract/values/locales';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import * as z from 'zod/mini';
import { withoutUnusableShare } from '../../access/normalize-permissions.ts';
import type { NewUser } from '../../database/database.ts';
import { foldUsername } from '../../usernames/fold-username.ts';
import { assertValidUsername } from '../../users/assert-username.ts';
import { firstIssueOf, isRecord, unknownPaths } from '../records/parse-record.ts';
import { canonicalUser, newUserOf } from '../users/user-record.ts';
import { type Reporter, printableValue } from './report.ts';
import { importRules } from './import-rules.ts';

/** A user that can be stored, with the former id that shares refer to. */
export interface ImportedUser {
  readonly formerId: number;
  readonly user: NewUser;
}

/**
 * Normalizes a scope like File Browser: relative to the served folder, so that `..` cannot leave it
 * (docs/reference/filebrowser-api.md §3.1).
 */
function cleanScope(scope: string): string {
  const segments: string[] = [];
  for (const segment of scope.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

type Fields = Record<string, unknown>;

/** Replaces values that File Browser did not validate by values that can be stored. */
function repair(given: Fields, name: string, reporter: Reporter): Fields {
  const fields: Fields = { ...given };
  const { viewMode, locale, scope, sorting } = given;
  if (viewMode !== undefined && ![...viewModes, ''].some((known) => known === viewMode)) {
    reporter.changed(
      'user',
      name,
      `the view mode “${printableValue(viewMode)}” is not known; it is now a list`,
    );
    fields.viewMode = 'list';
  }
  if (typeof locale === 'string' && knownLocale(locale) === null) {
    reporter.changed('user', name, `the language “${locale}” is not known; the browser’s is used`);
    fields.locale = '';
  }
  if (typeof scope === 'string') {
    const cleaned = cleanScope(scope);
    fields.scope = cleaned;
    if (scope.split('/').includes('..')) {
      reporter.changed('user', name, `the scope “${scope}” is now “${cleaned}”, the same folder as before`);
    }
  }
  if (isRecord(sorting) && ![...sortKeys, ''].some((known) => known === sorting.by)) {
    reporter.changed('user', name, `cannot be sorted by “${printableValue(sorting.by)}”; names are used`);
    fields.sorting = { asc: sorting.asc === true };
  }
  return fields;
}

/** Throws if the scope cannot be used here. */
const assertUsableScope = (scope: unknown): void => {
  if (typeof scope === 'string') parsePath(scope);
};

async function importUser(
  record: unknown,
  position: string,
  reporter: Reporter,
): Promise<ImportedUser | null> {
  const canonical = canonicalUser(record);
  if (!isRecord(canonical)) {
    reporter.skipped('user', position, 'it is not a user');
    return null;
  }
  const name =
    typeof canonical.username === 'string' && canonical.username !== '' ? canonical.username : position;
  const { rules, password, ...given } = canonical;
  const repaired = repair(given, name, reporter);
  const parsed = z.safeParse(UserChange, repaired);
  if (!parsed.success) {
    reporter.skipped('user', name, firstIssueOf(parsed.error));
    return null;
  }
  try {
    assertValidUsername(parsed.data.username ?? '');
    assertUsableScope(repaired.scope);
  } catch (error) {
    reporter.skipped('user', name, error instanceof Error ? error.message : 'invalid');
    return null;
  }
  for (const unknown of unknownPaths(repaired, parsed.data, '')) {
    reporter.skipped('user', name, `${unknown.slice(1)} is not known`);
  }
  const hash = typeof password === 'string' ? password : '';
  if (!/^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash) && !hash.startsWith('$argon2')) {
    reporter.changed(
      'user',
      name,
      'has no usable password; set one with “filestead users update --password”',
    );
  }
  const user = await newUserOf(parsed.data);
  if (withoutUnusableShare(user.perm) !== user.perm) {
    reporter.note('user', name, 'may share but not download: links need both, so it has none');
  }
  const patterns = user.commands.filter((command) => !/^[\w.+-]+$/.test(command));
  if (patterns.length > 0) {
    reporter.note(
      'user',
      name,
      `may run ${patterns.join(', ')}: commands are exact names here, not patterns`,
    );
  }
  return {
    formerId: parsed.data.id ?? 0,
    user: { ...user, passwordHash: hash, rules: await importRules(rules, `${name}: `, reporter) },
  };
}

/**
 * Imports the users of a source in the order of their ids. Of two users with equal names the first is
 * imported.
 */
export async function importUsers(records: readonly unknown[], reporter: Reporter): Promise<ImportedUser[]> {
  const imported: ImportedUser[] = [];
  for (const [index, record] of records.entries()) {
    const user = await importUser(record, `number ${index}`, reporter);
    if (user !== null) imported.push(user);
  }
  imported.sort((a, b) => a.formerId - b.formerId);
  const owners = new Map<string, string>();
  return imported.filter(({ user: { username } }) => {
    const key = foldUsername(username);
    const existingName = owners.get(key);
    if (existingName !== undefined) {
      reporter.skipped(
        'user',
        username,
        `it is the same name as “${existingName}” here: case makes no difference`,
      );
      return false;
    }
    owners.set(key, username);
    return true;
  });
}
