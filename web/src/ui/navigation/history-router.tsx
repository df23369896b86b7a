import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { openPageHistory } from './page-history.ts';
import { Router } from './router.tsx';

/**
 * Connects the routes below it to the address of the page, whose navigation can be blocked; see `block-navigation.ts`.
 */
export function HistoryRouter({ basename = '/', children }: { basename?: string; children: ReactNode }) {
  const [history] = useState(openPageHistory);
  const [{ action, location }, setEntry] = useState(history.current);
  useLayoutEffect(() => history.listen((entry) => startTransition(() => setEntry(entry))), [history]);
  return (
    <Router basename={basename} location={location} navigationType={action} navigator={history.navigator}>
      {children}
    </Router>
  );
}
