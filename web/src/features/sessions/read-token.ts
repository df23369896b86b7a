import { TokenUser } from '@filestead/contract/sessions';

export interface TokenContent {
  user: TokenUser;
  /** When the token expires, in Unix milliseconds. */
  expiresAtMs: number;
}

/** Decodes base64url without padding as UTF-8 JSON (RFC 7515 §2). */
function decodePart(part: string): unknown {
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/**
 * Reads the payload of a token, for display; only the server can validate it. Null if it is malformed: not three parts,
 * or not about a user.
 */
export function readToken(token: string): TokenContent | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const payload = decodePart(parts[1] ?? '');
    if (typeof payload !== 'object' || payload === null) return null;
    const user = TokenUser.safeParse(Reflect.get(payload, 'user'));
    const expires: unknown = Reflect.get(payload, 'exp');
    if (!user.success || typeof expires !== 'number') return null;
    return { user: user.data, expiresAtMs: expires * 1000 };
  } catch {
    return null;
  }
}
