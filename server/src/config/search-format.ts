/**
 * Format of search results for clients that do not request one: always the same, or chosen by the client's
 * known behavior.
 */
export const searchFormats = ['auto', 'array', 'ndjson'] as const;
export type SearchFormat = (typeof searchFormats)[number];
