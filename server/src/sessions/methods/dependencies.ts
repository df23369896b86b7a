import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../../access/accounts.ts';
import type { AttemptLimiter } from '../../access/sign-in/attempt-limiter.ts';
import type { SignInMethod } from '../../config/auth-method.ts';
import type { Captcha } from '../../access/sign-in/captcha.ts';
import type { StoredUser, UserRepository } from '../../database/database.ts';

/** What a sign-in is asked with. The first three are empty where people do not type anything. */
export interface SignInRequest {
  readonly username: string;
  readonly password: string;
  readonly recaptcha: string;
  readonly request: FastifyRequest;
}

/** What the ways of signing in work on. */
export interface SignInDependencies {
  readonly method: SignInMethod;
  /** Variables of the server's environment that the sign-in program gets besides the allow-listed ones. */
  readonly passedVariables: readonly string[];
  readonly users: UserRepository;
  readonly accounts: Accounts;
  readonly limiter: AttemptLimiter;
  readonly captcha: Captcha;
  /** Whether the other end of a connection is a proxy whose word counts. */
  readonly isTrustedPeer: (address: string | undefined) => boolean;
}

/**
 * Finds out who somebody is. Throws `wrong_credentials`, `captcha_failed`, `too_many_requests`, `sign_in_unavailable`.
 */
export type SignIn = (asked: SignInRequest) => Promise<StoredUser>;
