/** How results are sent to clients that do not ask for a form: always in one, or by what the client is known for. */
export const searchFormats = ['auto', 'array', 'ndjson'] as const;
export type SearchFormat = (typeof searchFormats)[number];
