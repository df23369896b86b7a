import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StoredShare } from '../database/database.ts';

/** Its end in Unix milliseconds, as the first bytes of a token. */
const endBytes = 6;
const randomPartBytes = 16;
const headBytes = endBytes + randomPartBytes;
/** 54 bytes are 72 characters without a bit to spare, so that a token can be written in one way only. */
const tokenShape = /^[A-Za-z0-9_-]{72}$/;

/** What opens a protected link once its password was right. */
export interface ShareTokens {
  /** A token for this link alone, other ones each time. */
  issue(share: StoredShare): string;
  /** Whether `token` is one for this link as it is now, and has not ended. Takes the same time wherever they differ. */
  isValid(share: StoredShare, token: string): boolean;
}

/**
 * Tokens that are not stored: they are signed with the `key` of now for the link, its password and its end, and are worth nothing when
 * one of them changes or `lifeMs` is over.
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
