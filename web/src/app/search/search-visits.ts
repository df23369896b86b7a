import { useEffect, useState } from 'react';
import { ResultsSession } from './results-session.ts';

/** The number of visits whose results are kept, so that going back shows them as they were. */
const maxVisits = 20;

/** The results by the router's key of the visit. */
const visits = new Map<string, ResultsSession>();

function rememberVisit(key: string, session: ResultsSession): void {
  visits.delete(key);
  visits.set(key, session);
  const [oldest] = visits.keys();
  if (visits.size > maxVisits && oldest !== undefined) visits.delete(oldest);
}

/** Whether the results of a visit are kept. `key` is the router's key of the visit. */
export const isKeptVisit = (key: string): boolean => visits.has(key);

/** Returns the results of a visit, as they were left if it is an earlier one. */
export function useVisit(key: string): ResultsSession {
  const [session] = useState(() => visits.get(key) ?? new ResultsSession());
  useEffect(() => rememberVisit(key, session), [key, session]);
  return session;
}
