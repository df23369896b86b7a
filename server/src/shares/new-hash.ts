import { randomBytes } from 'node:crypto';

/** 128 random bits: no hash is ever found by trying, and 22 characters fit where existing clients show them. */
const hashBytes = 16;

/** The name of a new link. */
export const newHash = (): string => randomBytes(hashBytes).toString('base64url');

/** Whether `text` can be the hash of a link: those of existing installations are shorter (docs/reference/filebrowser-api.md §1.11), older ones of ours longer. */
export const isHash = (text: string): boolean => /^[A-Za-z0-9_-]{8,64}$/.test(text);
