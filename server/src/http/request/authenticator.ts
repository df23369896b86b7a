import type { UserContext } from '../../access/user-context.ts';

/** What a request shows to be let in. A `token` may do anything its user may; a `cookie` only carries reads. */
export interface Credential {
  readonly kind: 'token' | 'cookie';
  readonly value: string;
}

/** A caller who was let in. */
export interface AuthContext {
  readonly userContext: UserContext;
  /** The client should renew its token: it is past half of its life, or its user has changed since it was made. */
  readonly shouldRenew: boolean;
  /** Gives back what the caller has opened; called once, when the answer is complete. */
  readonly release: () => void;
}

/** Decides who a request comes from, with session and user as they are stored now. */
export interface Authenticator {
  /** The caller behind a credential; null when it names no living session. */
  authenticate(credential: Credential): Promise<AuthContext | null>;
  /** The caller of a session that was admitted before, as of now; null when the session has ended. */
  reauthenticate(userId: number, sessionId: string): Promise<AuthContext | null>;
}

/** What {@link route} needs to know about the server it runs in. */
export interface HttpOptions {
  /** Whether `?auth=` is read where cookies are. */
  readonly acceptsTokenInQuery: boolean;
  /** Largest streamed body in bytes; 0 means no limit. */
  readonly maxUploadBytes: number;
}
