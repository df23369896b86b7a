import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../../access/accounts.ts';
import type { AttemptLimiter } from '../../access/sign-in/attempt-limiter.ts';
import type { SignInMethod } from '../../config/auth-method.ts';
import type { Captcha } from '../../access/sign-in/captcha.ts';
import type { StoredUser, UserRepository } from '../../database/database.ts';

/** Input of a sign-in. The first three are empty if the method has no login page. */
export interface SignInRequest {
  readonly username: string;
  readonly password: string;
  readonly recaptcha: string;
  readonly request: FastifyRequest;
}

/** Dependencies of the authentication methods. */
export interface SignInDependencies {
  readonly method: SignInMethod;
  /**
   * Variables of the server's environment that the sign-in program receives in addition to the allow-listed
   * ones.
   */
  readonly passedVariables: readonly string[];
  readonly users: UserRepository;
  readonly accounts: Accounts;
  readonly limiter: AttemptLimiter;
  readonly captcha: Captcha;
  /** Whether a peer is a proxy whose headers are trusted. */
  readonly isTrustedPeer: (address: string | undefined) => boolean;
}

/**
 * Authenticates a user. Throws `wrong_credentials`, `captcha_failed`, `too_many_requests`,
 * `sign_in_unavailable`.
 */
export type SignIn = (signIn: SignInRequest) => Promise<StoredUser>;
