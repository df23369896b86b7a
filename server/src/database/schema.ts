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
  /** Since when the user has this scope. */
  scope_since: Generated<number>;
}

/** A sign-in that the server remembers until it ends. */
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

/** A token of a session; each renewal issues another one. */
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

/** An entry that visitors open by the hash. */
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
  /** The deleted entry with which the share is suspended; null for an active one. */
  kept_id: Generated<string | null>;
  visits: Generated<number>;
}

/** A folder in which deleted entries were, a marked entry, or a folder above one. */
export interface PlaceRow {
  id: Generated<number>;
  /** 0 for the served root; null for a deleted folder. */
  parent: number | null;
  name: string;
  /** The form in which names of folders are compared. */
  key: string;
  /** The deleted entry that this one is; null for one that is not deleted. */
  kept_id: string | null;
  /** Null for places that no mark has needed. */
  is_folder: Generated<Flag | null>;
  /** Identify the entry independently of its name, as decimal digits; null where that is unknown. */
  device: Generated<string | null>;
  inode: Generated<string | null>;
  born_ns: Generated<string | null>;
  /** Since when a marked entry is known to be missing. */
  gone_at: Generated<number | null>;
}

/** A favorite, a tag or a recent entry of a user. */
export interface MarkRow {
  id: Generated<number>;
  user_id: number;
  /** The entry. */
  place: number;
  kind: string;
  /** As typed, and in the form in which tags are compared; empty for other kinds. */
  tag: string;
  tag_key: string;
  /** The reason why an entry is a recent one. */
  act: string | null;
  /** The order of favorites. */
  position: number;
  at: number;
}

/** The choices of a user about marks. */
export interface MarkOptionsRow {
  user_id: number;
  records_recents: Flag;
}

/** A deleted entry, or the former state of a replaced file, that is still on its disk. */
export interface KeptRow {
  id: string;
  /** The folder in which it was; 0 for the served root. */
  place: number;
  name: string;
  store: string;
  folder: string;
  stored_name: string;
  /** As recorded in the store. */
  original_path: string;
  kind: string;
  /** Bytes; null for a folder that has not been measured. */
  size: number | null;
  modified_ns: string;
  kept_at: number;
  operation: string;
  act: string;
  user_id: number | null;
  session: string | null;
  /** The time at which it is removed; null while it is in the trash. */
  purge_at: number | null;
  purged_by: number | null;
  /** The form in which the name of a replaced file is compared; null for a deleted entry. */
  name_key: string | null;
  /** The deleted file to which a former state belongs; empty while the file exists. */
  owner_id: string;
  label: string | null;
  keep_forever: Flag;
  /** The user who wrote a former state, the act and the time; null when unknown. */
  written_by: number | null;
  written_act: string | null;
  written_at: number | null;
  /** 1: a former state has the content of the file that replaced it; 2: its bytes were removed. 0 for others. */
  unchanged: Flag | 2;
}

/** A restoration that the command line requests from a running server. */
export interface RequestedRestorationRow {
  id: Generated<number>;
  kept_id: string;
  /** Null for the original path of the entry. */
  destination: string | null;
  /** The result: the path of the restored entry, or a reason. Both are null until the server has tried. */
  path: Generated<string | null>;
  failure: Generated<string | null>;
}

/** The position up to which the ledger of a store has been read. */
export interface LedgerRow {
  store: string;
  /** Empty if the ledger has not been read. */
  position: string;
  /** The number of the latest recorded move that the places have followed. */
  move_number: Generated<number>;
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
  /** The sentence of that error; null when it has none. */
  blocked_detail: string | null;
  /** Null for uploads of an earlier version. */
  last_byte_at: number | null;
  modified_at: number | null;
  client_key: string | null;
  folder_id: string | null;
  folder_file: string | null;
  created_parents: number;
}

/** A folder that is being uploaded. */
export interface FolderUploadRow {
  id: string;
  user_id: number;
  scope: string;
  path: string;
  name: string;
  files: number;
  bytes: number;
  began_at: number;
  used_at: number;
  expires_at: number;
}

/** A file of a folder upload. */
export interface FolderUploadFileRow {
  folder_id: string;
  file: string;
  target: string | null;
  size: number;
  modified_at: number;
  begun_at: number;
  has_arrived: Flag;
}

/** A job with its progress; its items and results have rows of their own. */
export interface JobRow {
  id: string;
  user_id: number;
  session_id: string;
  /** The user's scope when the job was created. */
  scope: string;
  /** The kind and its options. */
  request_json: string;
  item_count: number;
  created_at: number;
  is_ended: Flag;
  progress_json: string;
  /** Whether the command line has asked the server to cancel it. */
  is_cancelled: Generated<Flag>;
}

/** A part of the items of a job. */
export interface JobItemRow {
  job_id: string;
  /** The index of the first item of this part. */
  first: number;
  items_json: string;
}

/** The results of a job that were stored together. */
export interface JobResultRow {
  job_id: string;
  /** The number of results before this part. */
  first: number;
  results_json: string;
}

/** A request or job that has changed files. */
export interface OperationRow {
  id: string;
  user_id: number | null;
  session: string | null;
  kind: string;
  started_at: number;
  /** Null while it is running. */
  ended_at: number | null;
  /** Number of changed entries, including those without a row. */
  total: number;
  /** The operation that this one undoes. */
  undoes: string | null;
  undone_by: string | null;
  /** The time at which the version was written that the operation restored, copied or deleted. */
  version_at: number | null;
}

/** One entry that an operation has changed, with the state in which it left the entry. */
export interface OperationStepRow {
  id: Generated<number>;
  operation: string;
  act: string;
  /** The folder of the entry; with an empty name the entry itself, which is a folder. */
  place: number;
  name: string;
  /** The former folder and name of a moved entry. */
  from_place: number | null;
  from_name: string | null;
  /** The deleted or replaced entry. */
  kept_id: string | null;
  /** Kind, inode, bytes and times (Unix nanoseconds) of the entry after the change. */
  kind: string | null;
  inode: string | null;
  size: number | null;
  modified_ns: string | null;
  changed_ns: string | null;
  /** The step that this one undoes. */
  undoes: number | null;
  is_undone: Generated<Flag>;
  /** The share before and after the step, as JSON. */
  share: string | null;
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

/** The rows of each table. */
export interface Tables {
  users: UserRow;
  sessions: SessionRow;
  tokens: TokenRow;
  shares: ShareRow;
  uploads: UploadRow;
  folder_uploads: FolderUploadRow;
  folder_upload_files: FolderUploadFileRow;
  places: PlaceRow;
  kept: KeptRow;
  requested_restorations: RequestedRestorationRow;
  ledgers: LedgerRow;
  marks: MarkRow;
  mark_options: MarkOptionsRow;
  jobs: JobRow;
  job_items: JobItemRow;
  job_results: JobResultRow;
  operations: OperationRow;
  operation_steps: OperationStepRow;
  settings: SettingsRow;
  auth_method: AuthMethodRow;
  server_options: ServerOptionRow;
  secrets: SecretRow;
}
