import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import {
  Link,
  Navigate,
  Router,
  Routes,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from './router.tsx';
import { MemoryRouter } from './router-testing.tsx';

function Address() {
  const { pathname, search, state } = useLocation();
  return <output>{[useNavigationType(), `${pathname}${search}`, JSON.stringify(state)].join(' ')}</output>;
}
const shown = () => screen.getByRole('status').textContent;

test('a link adds a history entry with its state, and replaces one with the same address', async () => {
  render(
    <MemoryRouter address="/files/">
      <Address />
      <Link to="/files/a" state={{ reveal: 'a' }}>
        open
      </Link>
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByText('open'));
  expect(shown()).toBe('push /files/a {"reveal":"a"}');
  await userEvent.click(screen.getByText('open'));
  expect(shown()).toBe('replace /files/a {"reveal":"a"}');
});

test.each([
  ['Ctrl', { ctrlKey: true }],
  ['Command', { metaKey: true }],
  ['Shift', { shiftKey: true }],
  ['Alt', { altKey: true }],
  ['the middle button', { button: 1 }],
])('a click with %s is left to the browser', (_, init) => {
  render(
    <MemoryRouter address="/files/">
      <Address />
      <Link to="/files/a">open</Link>
    </MemoryRouter>,
  );
  // `fireEvent` returns whether the default action was not prevented.
  expect(fireEvent.click(screen.getByText('open'), init)).toBe(true);
  expect(shown()).toContain('/files/ ');
});

test('a link with a target, a prevented click, and a link that loads the page are left to the browser', () => {
  render(
    <MemoryRouter address="/files/">
      <Address />
      <Link to="/a" target="_blank">
        elsewhere
      </Link>
      <Link to="/a" onClick={(event) => event.preventDefault()}>
        prevented
      </Link>
      <Link to="/a" reloadDocument>
        reload
      </Link>
    </MemoryRouter>,
  );
  for (const name of ['elsewhere', 'prevented', 'reload']) fireEvent.click(screen.getByText(name));
  expect(shown()).toContain('/files/ ');
});

test('addresses have the base URL outside of the router only', async () => {
  const pushed: string[] = [];
  const navigator = {
    push: (address: string) => void pushed.push(address),
    replace: () => undefined,
    go: () => undefined,
  };
  const open = (pathname: string) => (
    <Router
      basename="/Drive/"
      location={{ pathname, search: '', hash: '', state: null, key: '1' }}
      navigationType="pop"
      navigator={navigator}
    >
      <Address />
      <Link to="/files/a">open</Link>
      <Link to="//example.org/">outside</Link>
      <Link to="?by=me">filter</Link>
    </Router>
  );
  const { rerender } = render(open('/drive/files/'));
  expect(shown()).toContain('/files/ ');
  for (const name of ['open', 'outside', 'filter']) await userEvent.click(screen.getByText(name));
  expect(pushed).toEqual(['/Drive/files/a', '/Drive/example.org/', '/Drive/files/?by=me']);
  rerender(open('/drives/files/'));
  expect(screen.queryByRole('status')).toBeNull();
});

test('two slashes at the beginning of an address do not lead to another server', () => {
  render(
    <MemoryRouter>
      <Link to="//example.org/">outside</Link>
    </MemoryRouter>,
  );
  expect(screen.getByText('outside').getAttribute('href')).toBe('/example.org/');
});

test('a call goes back in the history, and parameters are changed without the path', async () => {
  function Page() {
    const navigate = useNavigate();
    const [parameters, setParameters] = useSearchParams();
    return (
      <>
        <button onClick={() => setParameters({ by: `${parameters.get('by')}+` })}>change</button>
        <button onClick={() => navigate(-1)}>back</button>
      </>
    );
  }
  render(
    <MemoryRouter address="/trash?by=me">
      <Address />
      <Page />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByText('change'));
  expect(shown()).toContain('/trash?by=me%2B ');
  await userEvent.click(screen.getByText('back'));
  expect(shown()).toContain('/trash?by=me ');
});

test('routes ignore case and slashes at the end, and redirect all other paths', () => {
  const paths = { '/home': <h1>home</h1>, '/': <h1>start</h1> };
  const open = (address: string) =>
    render(
      <MemoryRouter key={address} address={address}>
        <Routes paths={paths} otherwise={<Navigate to="/home" replace />} />
      </MemoryRouter>,
    );
  for (const address of ['/home', '/Home/', '/toString']) {
    const { unmount } = open(address);
    expect(screen.getByRole('heading').textContent).toBe('home');
    unmount();
  }
  open('/');
  expect(screen.getByRole('heading').textContent).toBe('start');
});
