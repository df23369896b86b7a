/** Limits as data. Times in milliseconds, sizes in bytes, unless the name says otherwise. */

/** Maximum number of concurrent uploads (docs/reference/behaviour.md §9). */
export const maxConcurrentUploads = 5;
/**
 * Maximum size of a text that is sent with the file's metadata and opened in the editor
 * (docs/reference/filebrowser-api.md §1.5).
 */
export const maxTextBytes = 10 * 1024 * 1024;
/** Maximum JSON body of the login and sign-up endpoints. */
export const maxLoginBodyBytes = 16 * 1024;
/** Maximum JSON body of the other endpoints. */
export const maxJsonBodyBytes = 1024 * 1024;
/**
 * Maximum number of elements of all arrays and objects of a JSON body together, unless the endpoint specifies another.
 */
export const maxJsonBodyElements = 50_000;
/** Size from which a file is uploaded resumably. */
export const minResumableBytes = 1024 * 1024;
/** Time before its expiry, in ms, at which an unfinished upload is marked as expiring soon. */
export const expiringSoonMs = 24 * 60 * 60 * 1000;
/** Maximum number of bytes of an unfinished upload that are compared with the file before it is resumed. */
export const comparedTailBytes = 64 * 1024;
/** Maximum number of unfinished folder uploads of one user. */
export const maxFolderUploads = 100;
/** Maximum number of files of one folder upload. */
export const maxFolderUploadFiles = 1_000_000;
/** Maximum number of stored files of a folder upload that are listed at once. */
export const maxArrivedFilesPage = 5_000;
/** The default minimum length of a password, in characters. */
export const defaultMinimumPasswordLength = 8;
/** Maximum number of files of one batch. */
export const maxBatchFiles = 256;
/** Maximum body of a batch. */
export const maxBatchBytes = 2 * 1024 * 1024;
/** The default chunk size of a resumable upload (docs/reference/filebrowser-api.md §6.3). */
export const defaultUploadChunkBytes = 10 * 1024 * 1024;
/** The default number of times that a client retries a failed chunk (docs/reference/filebrowser-api.md §6.3). */
export const defaultUploadRetries = 5;
/** Maximum number of rules in one list. */
export const maxRules = 1000;
/** The maximum width of the phone layout in CSS pixels (docs/reference/behaviour.md §9). Style sheets repeat the number. */
export const phoneWidthPx = 736;
/** Maximum time between the two taps of a double tap, which opens an entry (docs/reference/behaviour.md §9). */
export const doubleTapMs = 300;
/** Minimum time between two updates of the upload progress (docs/reference/behaviour.md §9). */
export const uploadProgressIntervalMs = 100;
/** Maximum duration of a share in its unit (docs/reference/behaviour.md §5). */
export const maxShareDuration = 2_147_483_647;
/** The number of days for which expired shares stay listed and can be opened again. */
export const expiredShareDays = 30;
/** Rate limit of requests for shares that do not exist, per address, within the window of wrong passwords. */
export const maxUnknownSharesPerAddress = 100;
/** Maximum number of paths of one archive. */
export const maxArchivePaths = 100_000;
/** Maximum body of an archive request: enough for {@link maxArchivePaths} paths of usual length. */
export const maxArchiveBodyBytes = 32 * 1024 * 1024;
/** Maximum number of elements of an archive request: the paths and a few for the rest. */
export const maxArchiveBodyElements = maxArchivePaths + 100;
/** Maximum number of paths of one archive from a share; visitors can download the whole folder instead. */
export const maxPublicArchivePaths = 10_000;
/** Maximum body of an archive request for a share. */
export const maxPublicArchiveBodyBytes = 1024 * 1024;
/** Maximum number of items of one job. */
export const maxJobItems = 100_000;
/** Maximum body of a job request: enough for {@link maxJobItems} items with paths of usual length. */
export const maxJobBodyBytes = 32 * 1024 * 1024;
/** Maximum number of elements of a job request: each item with all its properties. */
export const maxJobBodyElements = 6 * maxJobItems;
/** Maximum number of folders that one stream of live changes follows. */
export const maxLiveFolders = 64;
/** Maximum body of a request about live folders. */
export const maxLiveBodyBytes = 64 * 1024;
/** Maximum number of names in one live change; if more have changed, the folder has to be listed again. */
export const maxLiveNames = 500;
/** The default number of days for which deleted entries stay in the trash. */
export const defaultTrashDays = 30;
/** The default number of days for which versions of files are kept. */
export const defaultVersionDays = 365;
/** The number of deleted items of a page of the trash, unless the client asks for another. */
export const defaultTrashPage = 200;
/** The default number of operations of a page. */
export const defaultOperationPage = 100;
/** Maximum number of operations of a page. */
export const maxOperationPage = 1000;
/** The number of days for which operations are logged and can be undone. */
export const operationDays = 30;
/** Maximum number of changed entries of an operation that is undone at once; larger ones are undone by a job. */
export const maxUndoneAtOnce = 20;
/** Maximum number of changed entries that are logged for one operation. Further ones cannot be undone. */
export const maxOperationSteps = 100_000;
/** Maximum number of deleted items of a page of the trash. */
export const maxTrashPage = 1000;
/** Maximum number of versions of a page of a list. */
export const maxVersionPage = 1000;
/** Maximum length of the label of a version. */
export const maxVersionLabelLength = 200;
/** Maximum number of deleted items of one request. */
export const maxTrashItems = 100_000;
/** Maximum body of a request about deleted items: enough for {@link maxTrashItems} ids. */
export const maxTrashBodyBytes = 4 * 1024 * 1024;
/** Maximum number of elements of a request about deleted items: the ids and a few for the rest. */
export const maxTrashBodyElements = maxTrashItems + 100;
/** Maximum length of the query of a search, in UTF-16 code units. */
export const maxFindQuery = 1024;
/** Maximum number of entries of a ranked search and of a map. */
export const maxFindRows = 500;
/** Maximum number of matches that a page of a ranked search leaves out. */
export const maxFindOffset = 200_000;
/** Maximum number of levels of a map. */
export const maxFindDepth = 4;
/** The default number of entries of a ranked search. */
export const defaultFindRows = 200;
/** Maximum number of results of a search in contents. */
export const maxContentRows = 100;
/** The default number of results of a search in contents. */
export const defaultContentRows = 20;
/** The default number of levels of a map. */
export const defaultMapDepth = 2;
/** Maximum number of groups of duplicates in one response. */
export const maxDuplicateGroups = 500;
/** The default number of groups of duplicates in one response. */
export const defaultDuplicateGroups = 100;
/** Maximum number of favorites of one user. */
export const maxFavorites = 500;
/** Maximum number of tags of all entries of one user together. */
export const maxTags = 10_000;
/** Maximum number of tags of one entry. */
export const maxTagsPerEntry = 32;
/** Maximum length of a tag, in UTF-16 code units. */
export const maxTagLength = 64;
/** Maximum number of entries whose marks one request changes. */
export const maxMarkedAtOnce = 1_000;
/** Maximum number of recent entries of one user. */
export const maxRecents = 200;
/** The number of days for which marks of missing entries are kept. */
export const goneMarkDays = 30;
/** Maximum number of pictures of one request for their sizes. */
export const maxMediaNames = 200;
/** Maximum body of a request for the sizes of pictures: enough for {@link maxMediaNames} paths of usual length. */
export const maxMediaBodyBytes = 256 * 1024;
