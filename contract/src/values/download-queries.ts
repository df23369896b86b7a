import * as z from 'zod/mini';

const text = z.optional(z.string());

/** The token of the session, for requests that a browser sends without the headers of the page. */
export const tokenQuery = { auth: text };

/**
 * The query parameters of a download. `inline`: `true` to view the file in the browser instead of saving it; `files` and
 * `algo`: the entries and the format of an archive.
 */
export const rawQuery = { inline: text, files: text, algo: text };

/** The query parameters of an image. `inline`: as of a download; `key`: changes with the file, for the browser's cache. */
export const pictureQuery = { inline: text, key: text };
