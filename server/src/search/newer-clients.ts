/** Maximum number of remembered sessions. Beyond it the least recently added one is dropped. */
const maxSessions = 10_000;

/** The sessions of newer clients, which expect search results as rows without an `Accept` header that says so. */
export interface NewerClients {
  /** Adds a session that belongs to a newer client. */
  add(sessionId: string): void;
  /** Whether a session belongs to a newer client. */
  includes(sessionId: string): boolean;
}

/** Opens the register, which is kept in memory. After a restart a client is recognized again when it opens the next folder. */
export function rememberNewerClients(): NewerClients {
  const sessions = new Set<string>();
  return {
    add(sessionId) {
      sessions.delete(sessionId);
      sessions.add(sessionId);
      if (sessions.size <= maxSessions) return;
      for (const oldest of sessions) {
        sessions.delete(oldest);
        return;
      }
    },
    includes: (sessionId) => sessions.has(sessionId),
  };
}
