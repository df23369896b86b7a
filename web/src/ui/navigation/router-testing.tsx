import { useState, type ReactNode } from 'react';
import { Router, type Location, type NavigationType } from './router.tsx';

interface Visit {
  readonly location: Location;
  readonly navigationType: NavigationType;
}

let keys = 0;

function visit(address: string, state: unknown, navigationType: NavigationType): Visit {
  const { pathname, search, hash } = new URL(address, 'http://localhost');
  keys++;
  return { location: { pathname, search, hash, state: state ?? null, key: String(keys) }, navigationType };
}

interface MemoryRouterProps {
  /** The first address. */
  readonly address?: string;
  readonly state?: unknown;
  readonly children: ReactNode;
}

/** A router for tests, with a history of its own. */
export function MemoryRouter({ address = '/', state, children }: MemoryRouterProps) {
  const [{ entries, index }, setHistory] = useState(() => ({
    entries: [visit(address, state, 'pop')],
    index: 0,
  }));
  const [navigator] = useState(() => ({
    push: (to: string, next?: unknown) =>
      setHistory((last) => ({
        entries: [...last.entries.slice(0, last.index + 1), visit(to, next, 'push')],
        index: last.index + 1,
      })),
    replace: (to: string, next?: unknown) =>
      setHistory((last) => ({
        ...last,
        entries: last.entries.with(last.index, visit(to, next, 'replace')),
      })),
    go: (steps: number) =>
      setHistory((last) => ({
        ...last,
        index: Math.min(Math.max(last.index + steps, 0), last.entries.length - 1),
      })),
  }));
  const current = entries[index];
  return (
    current && (
      <Router {...current} navigator={navigator}>
        {children}
      </Router>
    )
  );
}
