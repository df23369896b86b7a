import type { Preference, Preferences } from '@filestead/contract/user-fields';
import type { Generated } from 'kysely';

/** A boolean as stored by SQLite. */
type Flag = 0 | 1;

/** `singleClick` as `single_click`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The columns of the preferences, by the table of fields in the contract. */
export type PreferenceColumns = {
  [
    Name in Exclude<Preference, 'sorting'> as Name extends 'dateFormat'
      ? 'exact_dates'
      : Name extends 'aceEditorTheme'
        ? 'editor_theme'
        : SnakeCase<Name>
  ]: Preferences[Name] extends boolean ? Flag : string;
} & { sort_by: string; sort_ascending: Flag };

/** Times are Unix milliseconds (UTC); columns named `_json` hold JSON text. */
export interface UserRow extends PreferenceColumns {
  /** Never reused, even after the highest one was deleted. */
  id: Generated<number>;
  username: string;
  /** The folded name used for comparison, so that case does not matter. */
  username_key: string;
  password_hash: string;
  scope: string;
  lock_password: Flag;
  may_administrate: Flag;
  may_execute: Flag;
  may_create: Flag;
  may_rename: Flag;
  may_modify: Flag;
  may_delete: Flag;
  may_share: Flag;
  may_download: Flag;
  may_purge: Flag;
  commands_json: string;
  rules_json: string;
  changed_at: number;
  /** Null if the user never signed in. */
  last_sign_in_at: Generated<number | null>;
  /** 1 if the user sees no files until an administrator grants the scope. */
  awaits_scope: Generated<Flag>;
}

export interface SessionRow {
  id: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  /** Address and user agent of the sign-in. */
  address: string;
  user_agent: string;
  ends_at: number;
}

export interface TokenRow {
  /** SHA-256 of the whole token, base64url. */
  hash: string;
  /** SHA-256 of the cookie that was set with the token. */
  cookie_hash: string;
  session_id: string;
  issued_at: number;
  expires_at: number;
  /** Time at which a newer token replaced it. */
  superseded_at: number | null;
}

export interface ShareRow {
  hash: string;
  user_id: number;
  /** Within the owner's scope, canonical: without a trailing slash. */
  path: string;
  is_folder: Flag;
  /** Unix seconds; 0 means never. */
  expires_at: number;
  password_hash: string | null;
  created_at: number;
}

/** A single row with the global settings. */
export interface SettingsRow {
  id: 1;
  value_json: string;
}

/** A resumable upload. */
export interface UploadRow {
  id: string;
  user_id: number;
  scope: string;
  path: string;
  part_name: string;
  /** Bytes. */
  length: number;
  /** Bytes. */
  stored: number;
  overrides: Flag;
  is_by_path: Flag;
  is_finished: Flag;
  expires_at: number;
  began_at: number;
  /** Error code that blocks a complete upload; null otherwise. */
  blocked_by: string | null;
}

/** A single row with the authentication method. */
export interface AuthMethodRow {
  id: 1;
  value_json: string;
}

/** A start-up option with its value as written after the flag. */
export interface ServerOptionRow {
  name: string;
  value: string;
}

/** Keys that never leave the server, base64url. */
export interface SecretRow {
  name: string;
  value: string;
}

export interface Tables {
  users: UserRow;
  sessions: SessionRow;
  tokens: TokenRow;
  shares: ShareRow;
  uploads: UploadRow;
  settings: SettingsRow;
  auth_method: AuthMethodRow;
  server_options: ServerOptionRow;
  secrets: SecretRow;
}
