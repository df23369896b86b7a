import { randomBytes } from 'node:crypto';

/** 192 random bits, so that no hash is ever found by trying. */
const hashBytes = 24;

/** The name of a new link. */
export const newHash = (): string => randomBytes(hashBytes).toString('base64url');

/** Whether `text` can be the hash of a link; shorter ones come from existing installations (existing API §1.11). */
export const isHash = (text: string): boolean => /^[A-Za-z0-9_-]{8,64}$/.test(text);
