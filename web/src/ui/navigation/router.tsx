import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
} from 'react';

/** An address of the page without the base URL, and the state of its history entry. */
export interface Location {
  /** Percent-encoded; begins with a slash. */
  readonly pathname: string;
  /** Begins with a question mark; empty without parameters. */
  readonly search: string;
  /** Begins with a number sign; empty without a fragment. */
  readonly hash: string;
  readonly state: unknown;
  /** Identifies the history entry. */
  readonly key: string;
}

/** The way in which the current location was reached: `pop` is a step back or forward, and the first load. */
export type NavigationType = 'pop' | 'push' | 'replace';

export interface NavigateOptions {
  /** Whether the current history entry is replaced. */
  readonly replace?: boolean;
  /** State of the history entry; see {@link Location}. */
  readonly state?: unknown;
}

/** The history that a router navigates; addresses contain the base URL. */
export interface Navigator {
  push(address: string, state?: unknown): void;
  replace(address: string, state?: unknown): void;
  /** Goes back (negative) or forward by a number of entries. */
  go(steps: number): void;
}

interface RouterState {
  /** Without a slash at its end. */
  readonly base: string;
  readonly location: Location;
  readonly navigationType: NavigationType;
  readonly navigator: Navigator;
}

const RouterContext = createContext<RouterState | null>(null);

function useRouter(): RouterState {
  const router = useContext(RouterContext);
  if (router === null) throw new Error('this component is only usable inside a Router');
  return router;
}

/** Returns a path without the base; null if it is outside. */
function withoutBase(pathname: string, base: string): string | null {
  if (!pathname.toLowerCase().startsWith(base.toLowerCase())) return null;
  const rest = pathname.slice(base.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : null;
}

interface RouterProps {
  /** Path of the base URL. */
  readonly basename?: string;
  /** Location with the base URL. */
  readonly location: Location;
  readonly navigationType: NavigationType;
  readonly navigator: Navigator;
  readonly children: ReactNode;
}

/**
 * Provides location and navigation to the components below it. Renders nothing outside of the base URL. It is our own
 * code because of the size of others; see docs/decisions/0037-own-router.md.
 */
export function Router({ basename = '/', location, navigationType, navigator, children }: RouterProps) {
  const base = basename.replace(/\/+$/u, '');
  const { pathname, search, hash, state, key } = location;
  const router = useMemo((): RouterState | null => {
    const path = withoutBase(pathname, base);
    if (path === null) return null;
    return { base, location: { pathname: path, search, hash, state, key }, navigationType, navigator };
  }, [base, pathname, search, hash, state, key, navigationType, navigator]);
  return router && <RouterContext value={router}>{children}</RouterContext>;
}

/** Returns the current location without the base URL. */
export const useLocation = (): Location => useRouter().location;

/** Returns the way in which the current location was reached. */
export const useNavigationType = (): NavigationType => useRouter().navigationType;

/** Navigates to an address, which begins with `/` or `?`, or by a number of history entries. */
export interface NavigateFunction {
  (address: string, options?: NavigateOptions): void;
  (steps: number): void;
}

/**
 * Returns the address with the base URL. One that begins with `?` is at the current path. Two slashes at the beginning
 * would lead to another server.
 */
const addressWithBase = (address: string, { base, location }: RouterState): string =>
  `${base}${(address.startsWith('/') ? address : `${location.pathname}${address}`).replace(/^\/+/u, '/')}`;

/** Returns the function that navigates. */
export function useNavigate(): NavigateFunction {
  const router = useRouter();
  return useCallback(
    (target: string | number, { replace = false, state }: NavigateOptions = {}) => {
      const { navigator } = router;
      if (typeof target === 'number') navigator.go(target);
      else if (replace) navigator.replace(addressWithBase(target, router), state);
      else navigator.push(addressWithBase(target, router), state);
    },
    [router],
  );
}

/** Returns the parameters of the address and the function that changes them, which keeps the path. */
export function useSearchParams(): [
  URLSearchParams,
  (parameters: URLSearchParams | Record<string, string>, options?: NavigateOptions) => void,
] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const change = useCallback(
    (parameters: URLSearchParams | Record<string, string>, options?: NavigateOptions) =>
      navigate(`?${new URLSearchParams(parameters).toString()}`, options),
    [navigate],
  );
  return [useMemo(() => new URLSearchParams(search), [search]), change];
}

/** Navigates when it is shown. */
export function Navigate({ to, replace = false, state }: { readonly to: string } & NavigateOptions) {
  const navigate = useNavigate();
  const latestState = useRef(state);
  useEffect(() => navigate(to, { replace, state: latestState.current }), [navigate, to, replace]);
  return null;
}

interface RoutesProps {
  /** Elements by their path, in lower case and without a slash at its end. */
  readonly paths: Readonly<Record<string, ReactNode>>;
  /** The element of all other paths. */
  readonly otherwise: ReactNode;
}

/** Renders the element of the current path. Case and slashes at its end make no difference. */
export function Routes({ paths, otherwise }: RoutesProps) {
  const path = useLocation()
    .pathname.toLowerCase()
    .replace(/(?<=.)\/+$/u, '');
  return Object.hasOwn(paths, path) ? paths[path] : otherwise;
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** Address without the base URL; begins with `/` or `?`. */
  readonly to: string;
  /** Whether the current history entry is replaced; by default only if it has the same address. */
  readonly replace?: boolean;
  /** State of the history entry; see {@link Location}. */
  readonly state?: unknown;
  /** Whether the browser loads the page again. */
  readonly reloadDocument?: boolean | undefined;
}

/** A link to another location of the page. Modifier keys and other buttons of the mouse do what they do on every link. */
export function Link({
  to,
  replace,
  state,
  reloadDocument = false,
  onClick,
  children,
  ...attributes
}: LinkProps) {
  const router = useRouter();
  const navigate = useNavigate();
  const { pathname, search, hash } = router.location;
  return (
    <a
      {...attributes}
      href={addressWithBase(to, router)}
      onClick={(event) => {
        onClick?.(event);
        const { target = '_self' } = attributes;
        if (event.defaultPrevented || reloadDocument || target !== '_self' || !isPlainClick(event)) return;
        event.preventDefault();
        navigate(to, { replace: replace ?? to === `${pathname}${search}${hash}`, state });
      }}
    >
      {children}
    </a>
  );
}
