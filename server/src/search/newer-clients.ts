/** Most sessions that are remembered; beyond it the one that was noted first is forgotten. */
const maxSessions = 10_000;

/** Remembers the sessions of newer clients, which read search results row by row without asking for it. */
export interface NewerClients {
  note(sessionId: string): void;
  includes(sessionId: string): boolean;
}

/** Kept in memory: a client shows again what it is with the next folder that it opens. */
export function rememberNewerClients(): NewerClients {
  const sessions = new Set<string>();
  return {
    note(sessionId) {
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
