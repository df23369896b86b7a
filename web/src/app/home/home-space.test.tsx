import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeToken } from '../../api/token-store.ts';
import { signIn } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { HomeSpace } from './home-space.tsx';
import type { Home } from './load-home.ts';

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => new Response(tokenOf(ada)));
  await signIn({ username: 'ada', password: 'secret' });
});
afterEach(() => {
  cleanup();
  act(() => storeToken(null));
  vi.unstubAllGlobals();
});

const show = (home: Partial<Home>) =>
  render(
    <MemoryRouter address="/home">
      <HomeSpace home={home} />
    </MemoryRouter>,
  );
const addressOf = (name: string | RegExp): string | null =>
  screen.getByRole('link', { name }).getAttribute('href');

test('says the free space in the link to the page of the space', () => {
  show({ free: 76_100_000_000 });
  expect(addressOf(/^76.1\sGB free$/u)).toMatch(/space/u);
  expect(screen.queryByText(/Trash/u)).toBeNull();
});

test('offers the page of the space where the disk has no size', () => {
  show({});
  expect(addressOf('Show all')).toMatch(/space/u);
});

test('says the number of deleted items to users, and leads to the trash', () => {
  show({ trashCount: 3 });
  expect(screen.getByText('Trash · 3 items')).toBeTruthy();
  expect(addressOf('Free up')).toBe('/trash');
});

test.each([
  [2, '/trash'],
  [0, '/settings/storage'],
])(
  'says to administrators what is kept, and leads with %d items in the trash to %s',
  (trashCount, address) => {
    show({ kept: { deleted: 1_000, versions: 2_000_000 }, trashCount });
    expect(screen.getByText(/^Trash 1\sKB · Versions 2\sMB$/u)).toBeTruthy();
    expect(addressOf('Free up')).toBe(address);
  },
);
