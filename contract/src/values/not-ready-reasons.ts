/** The reasons for which a server should receive no requests; the log has the details. */
export const notReadyReasons = [
  'stopping',
  'database_unavailable',
  'root_unavailable',
  'data_not_writable',
  'disk_space_low',
] as const;
export type NotReadyReason = (typeof notReadyReasons)[number];
