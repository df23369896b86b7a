/** The errors of endpoints that take the path of an entry of the signed-in user. */
export const pathErrors = [
  'invalid_path',
  'not_signed_in',
  'forbidden',
  'external_link',
  'not_found',
] as const;

/** The errors of endpoints that take the identifier of something that the storage keeps, such as a version or a deleted item. */
export const idErrors = [
  'bad_request',
  'not_signed_in',
  'forbidden',
  'not_found',
  'storage_unavailable',
] as const;

/** The errors of downloads of a file or of the archive of a folder, besides those of its path. */
export const downloadErrors = [
  'precondition_failed',
  'range_not_satisfiable',
  'unsupported_archive_format',
  'archive_format_unavailable',
  'too_busy',
] as const;
