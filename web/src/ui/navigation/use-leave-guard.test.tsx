import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Routes, useNavigate } from './router.tsx';
import { beforeEach, expect, test, vi } from 'vitest';
import { navigateWhenAllowed } from './block-navigation.ts';
import { HistoryRouter } from './history-router.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

function Editing({ isGuarded }: { isGuarded: boolean }) {
  const pending = useLeaveGuard(isGuarded);
  const navigate = useNavigate();
  return (
    <>
      <h1>editing</h1>
      <Link to="/other">link</Link>
      <button type="button" onClick={() => void navigate('/other')}>
        call
      </button>
      <button type="button" onClick={() => void navigate(-1)}>
        step back
      </button>
      {pending && (
        <>
          <button type="button" onClick={pending.proceed}>
            leave
          </button>
          <button type="button" onClick={pending.cancel}>
            stay
          </button>
        </>
      )}
    </>
  );
}

function App({ isGuarded = true }: { isGuarded?: boolean }) {
  return (
    <HistoryRouter>
      <Routes
        paths={{
          '/': <Link to="/edit">start</Link>,
          '/edit': <Editing isGuarded={isGuarded} />,
          '/other': <h1>other</h1>,
        }}
        otherwise={null}
      />
    </HistoryRouter>
  );
}

const press = (name: string, role: 'button' | 'link' = 'button') =>
  userEvent.click(screen.getByRole(role, { name }));
const heading = () => screen.queryByRole('heading')?.textContent;

beforeEach(() => {
  window.history.pushState(null, '', '/');
});

test.each([
  ['link', 'link'],
  ['call', 'button'],
] as const)('blocks navigation by a %s until the user decides', async (name, role) => {
  render(<App />);
  await press('start', 'link');
  await press(name, role);
  expect(heading()).toBe('editing');
  await press('stay');
  expect(heading()).toBe('editing');
  await press(name, role);
  await press('leave');
  expect(heading()).toBe('other');
});

test('undoes a step back of the browser at once, and repeats it when the user leaves', async () => {
  render(<App />);
  await press('start', 'link');
  act(() => window.history.back());
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'leave' })).not.toBeNull());
  await vi.waitFor(() => expect(window.location.pathname).toBe('/edit'));
  expect(heading()).toBe('editing');
  await press('leave');
  await vi.waitFor(() => expect(screen.queryByRole('link', { name: 'start' })).not.toBeNull());
  expect(window.location.pathname).toBe('/');
});

test('blocks a step back by the app without changing the address', async () => {
  render(<App />);
  await press('start', 'link');
  await press('step back');
  expect(window.location.pathname).toBe('/edit');
  await press('leave');
  await vi.waitFor(() => expect(screen.queryByRole('link', { name: 'start' })).not.toBeNull());
});

test('blocks navigation and closing the page only while it is guarded', async () => {
  const { rerender } = render(<App isGuarded={false} />);
  await press('start', 'link');
  const isUnloadPrevented = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(isUnloadPrevented()).toBe(false);
  rerender(<App isGuarded />);
  expect(isUnloadPrevented()).toBe(true);
  rerender(<App isGuarded={false} />);
  expect(isUnloadPrevented()).toBe(false);
  await press('call');
  expect(heading()).toBe('other');
});

test('blocks other actions that would lose the changes, such as signing out', async () => {
  const signOut = vi.fn<() => void>();
  const { unmount } = render(<App />);
  await press('start', 'link');
  act(() => navigateWhenAllowed(signOut));
  await press('stay');
  expect(signOut).not.toHaveBeenCalled();
  act(() => navigateWhenAllowed(signOut));
  await press('leave');
  expect(signOut).toHaveBeenCalledTimes(1);
  unmount();
  navigateWhenAllowed(signOut);
  expect(signOut).toHaveBeenCalledTimes(2);
});
