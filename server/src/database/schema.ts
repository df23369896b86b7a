import type { Generated } from 'kysely';

/** A boolean as the database keeps it. */
type Flag = 0 | 1;

/** Times are Unix milliseconds (UTC); columns named `_json` hold JSON text. */
export interface UserRow {
  /** Never given twice, also after the highest one is deleted. */
  id: Generated<number>;
  username: string;
  /** The name as it is compared: two names that differ in case only are one. */
  username_key: string;
  password_hash: string;
  scope: string;
  locale: string;
  lock_password: Flag;
  view_mode: string;
  single_click: Flag;
  may_administrate: Flag;
  may_execute: Flag;
  may_create: Flag;
  may_rename: Flag;
  may_modify: Flag;
  may_delete: Flag;
  may_share: Flag;
  may_download: Flag;
  commands_json: string;
  sort_by: string;
  sort_ascending: Flag;
  rules_json: string;
  hide_dotfiles: Flag;
  exact_dates: Flag;
  redirect_after_copy_move: Generated<Flag>;
  editor_theme: Generated<string>;
  changed_at: number;
  /** Null: never. */
  last_sign_in_at: Generated<number | null>;
  /** 1: sees no files until an administrator has granted the scope. */
  awaits_scope: Generated<Flag>;
}

export interface SessionRow {
  id: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  /** Where its user signed in from, and with what. */
  address: string;
  user_agent: string;
  ends_at: number;
}

export interface TokenRow {
  /** SHA-256 of the whole token, base64url. */
  hash: string;
  /** SHA-256 of the cookie that was set beside it. */
  cookie_hash: string;
  session_id: string;
  issued_at: number;
  expires_at: number;
  /** When a newer token took its place. */
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

/** One row: the global settings. */
export interface SettingsRow {
  id: 1;
  value_json: string;
}

/** An upload that arrives in parts. */
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
  /** The code of an error; null unless all bytes have arrived and it could not be finished. */
  blocked_by: string | null;
}

/** One row: how people sign in. */
export interface AuthMethodRow {
  id: 1;
  value_json: string;
}

/** A start-up option as it would be written after its flag. */
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
