/** Limits as data. Times in milliseconds, sizes in bytes, unless the name says otherwise. */

/** Uploads that run at once (docs/reference/behaviour.md §9). */
export const maxConcurrentUploads = 5;
/** Text up to this size is sent with the file's details and opened in the editor (docs/reference/filebrowser-api.md §1.5). */
export const maxTextBytes = 10 * 1024 * 1024;
/** Largest JSON body of the login and sign-up endpoints. */
export const maxLoginBodyBytes = 16 * 1024;
/** Largest JSON body of the other endpoints. */
export const maxJsonBodyBytes = 1024 * 1024;
/** Most members of all lists and objects of a JSON body together, where the endpoint names no other number. */
export const maxJsonBodyElements = 50_000;
/** The shortest password that is accepted unless an administrator chose otherwise, in characters. */
export const defaultMinimumPasswordLength = 8;
/** The part of a file that a resumable upload sends at once (docs/reference/filebrowser-api.md §6.3). */
export const defaultUploadChunkBytes = 10 * 1024 * 1024;
/** How often a client repeats a part that did not arrive (docs/reference/filebrowser-api.md §6.3). */
export const defaultUploadRetries = 5;
/** Most rules in one list. */
export const maxRules = 1000;
/** The width in CSS pixels up to which the phone layout is shown (docs/reference/behaviour.md §9). */
export const phoneWidthPx = 736;
/** The column width of the mosaic views in CSS pixels (docs/reference/behaviour.md §9). */
export const mosaicColumnPx = 280;
/** Two taps within this time open an entry (docs/reference/behaviour.md §9). */
export const doubleTapMs = 300;
/** Upload progress is shown at most this often (docs/reference/behaviour.md §9). */
export const uploadProgressIntervalMs = 100;
/** A share's longest duration in its unit (docs/reference/behaviour.md §5). */
export const maxShareDuration = 2_147_483_647;
/** Requests for links that do not exist, from one address within the window of wrong passwords, until it must wait. */
export const maxUnknownSharesPerAddress = 100;
/** Most paths of one archive. */
export const maxArchivePaths = 100_000;
/** Largest body that asks for an archive: so many paths of ordinary length. */
export const maxArchiveBodyBytes = 32 * 1024 * 1024;
/** Most members of its lists and objects: the paths, and a few for the rest. */
export const maxArchiveBodyElements = maxArchivePaths + 100;
/** Most paths that a visitor of a link can choose for one archive; who wants more takes the folder. */
export const maxPublicArchivePaths = 10_000;
/** Largest body that asks for an archive behind a link. */
export const maxPublicArchiveBodyBytes = 1024 * 1024;
/** Most items of one job. */
export const maxJobItems = 100_000;
/** Largest body that asks for a job: so many items with paths of ordinary length. */
export const maxJobBodyBytes = 32 * 1024 * 1024;
/** Most members of its lists and objects: each item with all that it may have. */
export const maxJobBodyElements = 6 * maxJobItems;
