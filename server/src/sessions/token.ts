import { createHmac, hash, randomBytes } from 'node:crypto';
import { type TokenPayload, TokenUser } from '@filestead/contract/sessions';
import type { User } from '@filestead/contract/users';
import * as z from 'zod/mini';

/** The issuer that existing clients may check (docs/reference/filebrowser-api.md §1.2). */
const issuer = 'File Browser';
/** Maximum length of the commands in a token, in characters, because the token must fit into a header. */
const maxCommandsLength = 4_096;

const base64Json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = base64Json({ alg: 'HS256', typ: 'JWT' });

/** Returns a new secret of 256 random bits. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the hash under which a secret is stored. A plain hash suffices, because the secret cannot be
 * guessed.
 */
export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** Returns the commands that fit into {@link maxCommandsLength}. */
function limitCommands(commands: readonly string[]): string[] {
  let length = 0;
  return commands.filter((command) => (length += command.length) <= maxCommandsLength);
}

/** Returns the `user` claim with the fields that a client may know. */
const tokenUserOf = (user: User): TokenUser =>
  z.parse(TokenUser, { ...user, commands: limitCommands(user.commands) });

/** Creates a three-part token. Its claims are for display only; it is valid while its hash is stored. */
export function createToken(
  user: User,
  key: Uint8Array,
  { issuedAtMs, expiresAtMs }: { issuedAtMs: number; expiresAtMs: number },
): string {
  const payload: TokenPayload = {
    user: tokenUserOf(user),
    iss: issuer,
    iat: Math.floor(issuedAtMs / 1000),
    exp: Math.floor(expiresAtMs / 1000),
    jti: randomSecret(),
  };
  const signed = `${header}.${base64Json(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
