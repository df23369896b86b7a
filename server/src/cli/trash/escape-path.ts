/** Escapes the control characters, quotes and backslashes of a path as in JSON, so that it is one line on the terminal. */
export const escapePath = (path: string): string => JSON.stringify(path).slice(1, -1);
