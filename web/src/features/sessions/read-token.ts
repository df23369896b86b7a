import type { TokenUser } from '@filestead/contract/sessions';
import {
  initialPreferences,
  isAddedPreference,
  preferences,
  sortKeys,
  startPages,
  viewModes,
  type Preference,
  type Preferences,
  type Sorting,
} from '@filestead/contract/user-fields';
import { permissionNames, type Permissions } from '@filestead/contract/values/permissions';

export interface TokenContent {
  user: TokenUser;
  /** The expiry of the token, in Unix milliseconds. */
  expiresAtMs: number;
}

/** Decodes base64url without padding as UTF-8 JSON (RFC 7515 §2). */
function decodePart(part: string): unknown {
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/** An object of a payload, with all its properties unknown. */
type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOneOf = <Choice extends string>(choices: readonly Choice[], value: unknown): value is Choice =>
  choices.some((choice) => choice === value);

/** The permissions; a missing one is not granted. Null if one is not a boolean. */
function readPermissions(claim: unknown): Permissions | null {
  if (!isObject(claim)) return null;
  const permissions = permissionNames.map((name) => [name, claim[name] ?? false] as const);
  if (permissions.some(([name, value]) => typeof value !== 'boolean' || claim[name] === null)) return null;
  return Object.fromEntries(permissions) as Permissions;
}

/** The sorting, with the defaults of the contract. Null if a field has another type. */
function readSorting(claim: unknown): Sorting | null {
  if (!isObject(claim)) return null;
  const { by = 'name', asc = false } = claim;
  return isOneOf(sortKeys, by) && typeof asc === 'boolean' ? { by, asc } : null;
}

/** The value of a preference, `undefined` if it is missing or has another type. */
function readPreference(name: Preference, value: unknown): unknown {
  if (value === undefined && isAddedPreference(name)) return initialPreferences[name];
  if (name === 'sorting') return readSorting(value) ?? undefined;
  if (name === 'viewMode') return isOneOf(viewModes, value) ? value : undefined;
  if (name === 'startOn') return isOneOf(startPages, value) ? value : undefined;
  return typeof value === typeof initialPreferences[name] ? value : undefined;
}

/**
 * Reads the `user` claim without the schema `TokenUser`: the schema library is larger than the rest of the sign-in. Null
 * if a field is missing or has another type; additions may be missing in tokens of older versions.
 */
function readUser(claim: unknown): TokenUser | null {
  if (!isObject(claim)) return null;
  const { id, username, commands, lockPassword } = claim;
  const perm = readPermissions(claim['perm']);
  const read = preferences.map((name) => [name, readPreference(name, claim[name])] as const);
  const isComplete = perm !== null && read.every(([, value]) => value !== undefined);
  if (!isComplete || typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  if (typeof username !== 'string' || typeof lockPassword !== 'boolean') return null;
  if (!Array.isArray(commands) || !commands.every((command) => typeof command === 'string')) return null;
  // The type of each preference has been checked.
  const values = Object.fromEntries(read) as Readonly<Record<Preference, unknown>> as Preferences;
  return { id, username, commands, lockPassword, perm, ...values };
}

/**
 * Reads the payload of a token, for display; only the server can validate it. Null if it is malformed: not three parts,
 * or not about a user.
 */
export function readToken(token: string): TokenContent | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const payload = decodePart(parts[1] ?? '');
    if (!isObject(payload) || typeof payload['exp'] !== 'number') return null;
    const user = readUser(payload['user']);
    return user === null ? null : { user, expiresAtMs: payload['exp'] * 1000 };
  } catch {
    return null;
  }
}
