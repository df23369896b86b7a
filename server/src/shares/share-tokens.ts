import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StoredShare } from '../database/stored-share.ts';

/** Size of the expiry in Unix milliseconds, with which a token begins. */
const endBytes = 6;
const randomPartBytes = 16;
const headBytes = endBytes + randomPartBytes;
/** 54 bytes are exactly 72 characters, so that each token has only one encoding. */
const tokenShape = /^[A-Za-z0-9_-]{72}$/;

/** Tokens that open a protected share after its password was checked. */
export interface ShareTokens {
  /** Issues a new token, valid for this share only. */
  issue(share: StoredShare): string;
  /** Whether `token` is valid for the current state of the share and has not expired. Takes constant time. */
  isValid(share: StoredShare, token: string): boolean;
}

/**
 * Returns the tokens of all shares. They are not stored but signed with the current `key` over the share, its password
 * and its end. They become invalid when one of these changes, or after `lifeMs`.
 */
export function openShareTokens(parts: {
  key: () => Uint8Array;
  lifeMs: number;
  now: () => number;
}): ShareTokens {
  const { key, lifeMs, now } = parts;
  const signatureOf = ({ hash, createdAt, expiresAt, passwordHash }: StoredShare, head: Buffer): Buffer =>
    createHmac('sha256', key())
      .update(JSON.stringify([hash, createdAt, expiresAt, passwordHash]))
      .update(head)
      .digest();
  return {
    issue(share) {
      const head = Buffer.alloc(headBytes);
      head.writeUIntBE(now() + lifeMs, 0, endBytes);
      randomBytes(randomPartBytes).copy(head, endBytes);
      return Buffer.concat([head, signatureOf(share, head)]).toString('base64url');
    },
    isValid(share, token) {
      if (share.passwordHash === null || !tokenShape.test(token)) return false;
      const bytes = Buffer.from(token, 'base64url');
      const head = bytes.subarray(0, headBytes);
      const isSigned = timingSafeEqual(bytes.subarray(headBytes), signatureOf(share, head));
      return isSigned && head.readUIntBE(0, endBytes) > now();
    },
  };
}
