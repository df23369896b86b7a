/**
 * The HTTP status of every error code. Each error that the server sends has a code of this table: the server takes the
 * status from it, the web client selects its message by it, and the API documentation lists it. The meaning of a code
 * never changes.
 */
export const errorStatus = {
  bad_request: 400,
  invalid_path: 400,
  invalid_name: 400,
  moves_into_itself: 400,
  unsupported_checksum: 400,
  unsupported_archive_format: 400,
  invalid_rule: 400,
  weak_password: 400,
  current_password_wrong: 400,
  not_signed_in: 401,
  password_required: 401,
  wrong_credentials: 403,
  captcha_failed: 403,
  forbidden: 403,
  scope_not_granted: 403,
  root_is_protected: 403,
  password_locked: 403,
  last_administrator: 403,
  external_link: 403,
  special_file: 403,
  not_found: 404,
  method_not_allowed: 405,
  is_folder: 405,
  not_a_folder: 409,
  already_exists: 409,
  username_taken: 409,
  folder_not_empty: 409,
  holds_mount: 409,
  cannot_keep: 409,
  keep_needs_copy: 409,
  catalogue_off: 409,
  contents_off: 409,
  changed_since: 409,
  changed_while_moving: 409,
  upload_offset_mismatch: 409,
  too_many_marks: 409,
  too_many_shares: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  archive_too_large: 413,
  image_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  archive_damaged: 422,
  archive_encrypted: 422,
  broken_image: 422,
  upload_in_use: 423,
  too_many_requests: 429,
  checksum_mismatch: 460,
  internal_error: 500,
  sign_in_unavailable: 500,
  hook_failed: 500,
  interrupted: 500,
  archive_format_unavailable: 501,
  no_preview: 501,
  busy: 503,
  database_unavailable: 503,
  too_busy: 503,
  storage_unavailable: 503,
  storage_full: 507,
} as const;

/** The `detail` of `forbidden` where the operating system denies the access to the server itself, whoever the user is. */
export const deniedBySystem = 'the operating system denies the server this access';

/** The `detail` of `forbidden` where the disk is mounted read-only. */
export const readOnlyDisk = 'the disk is read-only';

/** The stable identifier of an error. */
export type ErrorCode = keyof typeof errorStatus;

/**
 * The body of an error response for clients that accept JSON (RFC 9457 problem details); other clients get the status
 * text.
 */
export interface Problem {
  type: 'about:blank';
  status: number;
  /** The standard reason phrase of the status. */
  title: string;
  code: ErrorCode;
  /** One English sentence for developers; never contains a disk path or a stack trace. */
  detail?: string;
  /** Identifies the request in the server's log. */
  requestId?: string;
}

/** Whether `value` is an error code. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorStatus, value);
