import { randomBytes } from 'node:crypto';

/** 128 random bits: too many to guess, and the resulting 22 characters fit into the layout of existing clients. */
const hashBytes = 16;

/** Returns the hash of a new share. */
export const newHash = (): string => randomBytes(hashBytes).toString('base64url');

/**
 * Whether `text` has the form of a share's hash. Those of existing installations are shorter
 * (docs/reference/filebrowser-api.md §1.11), those of older versions of Filestead longer.
 */
export const isHash = (text: string): boolean => /^[A-Za-z0-9_-]{8,64}$/.test(text);
