import type { UserContext } from '../../access/user-context.ts';

/** Credentials of a request. A `token` is accepted for every method, a `cookie` for reads only. */
export interface Credential {
  readonly kind: 'token' | 'cookie';
  readonly value: string;
}

/** The result of authentication. */
export interface AuthContext {
  readonly userContext: UserContext;
  /**
   * Whether the client should renew its token, because half of its lifetime has passed or the user was
   * changed since it was issued.
   */
  readonly shouldRenew: boolean;
  /** Releases the resources of the user context. Called once, when the response is complete. */
  readonly release: () => void;
}

/** Authenticates requests by the stored session and user. */
export interface Authenticator {
  /**
   * Returns the context for a credential; null if it belongs to no valid session. The request counts as use of the session unless
   * `isAutomatic` is true.
   */
  authenticate(credential: Credential, isAutomatic?: boolean): Promise<AuthContext | null>;
  /**
   * Returns the current context of a session that was authenticated before; null if the session has ended.
   */
  reauthenticate(userId: number, sessionId: string): Promise<AuthContext | null>;
}

/** Options of the server that {@link route} needs. */
export interface HttpOptions {
  /** Whether `?auth=` is accepted where cookies are. */
  readonly acceptsTokenInQuery: boolean;
  /** Maximum size of a streamed body in bytes; 0 for no limit. */
  readonly maxUploadBytes: number;
}
