import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { Router } from 'react-router';
import { openPageHistory } from './page-history.ts';

/**
 * Connects the routes below it to the address of the page, as `BrowserRouter` does. In addition, navigation can be
 * blocked; see `block-navigation.ts`.
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
