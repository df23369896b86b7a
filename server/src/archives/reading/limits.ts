/** Maximum number of members of an archive that is browsed or extracted. */
export const maxMembers = 200_000;
/** Maximum size of the central directory of a zip, in bytes. */
export const maxDirectoryBytes = 64 * 1024 * 1024;
/** Maximum size of the metadata of one tar member, in bytes: long names and pax records. */
export const maxMetadataBytes = 1024 * 1024;

/** Archives whose content is smaller (bytes) are extracted whatever their compression is. */
const plausibleBytes = 1024 ** 3;
/** Contents that are larger than the archive by more than this factor are refused. Texts reach about 20. */
const maxExpansion = 250;

/** Whether an archive of `archiveBytes` with `contentBytes` of content has been made to fill disks. */
export const isBomb = (archiveBytes: number, contentBytes: number): boolean =>
  contentBytes > plausibleBytes && contentBytes > archiveBytes * maxExpansion;
