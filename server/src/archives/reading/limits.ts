/** Maximum number of members of an archive that is browsed or extracted. */
export const maxMembers = 200_000;
/** Maximum size of the central directory of a zip, in bytes. */
export const maxDirectoryBytes = 64 * 1024 * 1024;
/** Maximum size of the metadata of one tar member, in bytes: long names and pax records. */
export const maxMetadataBytes = 1024 * 1024;

/** Up to this size of the content (bytes), archives are extracted at any compression ratio. */
const plausibleBytes = 1024 ** 3;
/** Maximum ratio of the content's size to that of the archive. Texts reach about 20. */
const maxExpansion = 250;

/** Whether an archive of `archiveBytes` with `contentBytes` of content has been made to fill disks. */
export const isBomb = (archiveBytes: number, contentBytes: number): boolean =>
  contentBytes > plausibleBytes && contentBytes > archiveBytes * maxExpansion;
