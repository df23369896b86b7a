import { SettingsResponse } from '@filestead/contract/settings';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { jsonResponse } from '../../api/test-responses.ts';
import { storeToken } from '../../api/token-store.ts';
import { signIn } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { i18n } from '../../i18n/i18n.ts';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { useLocation } from '../../ui/navigation/router.tsx';
import { RequireUser } from '../routes/guards.tsx';
import { SettingsRoutes } from '../routes/settings-routes.tsx';
import { findSettings } from './find-settings.ts';
import { findSetting } from './reveal-setting.ts';
import { settingEntries, settingsNamespaces } from './settings-entries.ts';

const settings = SettingsResponse.parse({
  authMethod: 'json',
  letterCase: 'sensitive',
  defaults: { perm: {} },
  branding: { followsSystem: true, theme: '' },
});
const administrator = { ...ada, perm: { ...ada.perm, admin: true, share: true } };
const configured = { ...pageConfig };
const entries = () =>
  settingEntries(i18n.translatorOf(settingsNamespaces), ['profile', 'global', 'users'], true);
const search = (query: string) => findSettings(entries(), query, ({ page }) => page);

beforeEach(async () => {
  Object.assign(pageConfig, { EnableCatalogue: true, EnableExec: true });
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media === '(width >= 1024px)' }),
  );
  Element.prototype.scrollIntoView = vi.fn<() => void>();
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.startsWith('/api/settings')) return jsonResponse(settings);
    if (url.startsWith('/api/login')) return new Response(tokenOf(administrator));
    return jsonResponse([]);
  });
  await signIn({ username: 'ada', password: 'secret' });
});
afterEach(() => {
  act(() => storeToken(null));
  Object.assign(pageConfig, configured);
  vi.unstubAllGlobals();
});

function CurrentAddress() {
  return <output>{useLocation().pathname}</output>;
}

function show(address: string): void {
  render(
    <MemoryRouter address={address}>
      <CurrentAddress />
      <RequireUser>
        <SettingsRoutes unknown="unknown" />
      </RequireUser>
    </MemoryRouter>,
  );
}

const searchField = () => screen.getByRole('searchbox', { name: 'Search settings' });
const results = () =>
  within(screen.getByRole('search'))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

test.each([
  ['profile', 'Files'],
  ['global', 'New users'],
] as const)('every setting of the page “%s” can be found, and is on the page', async (page, section) => {
  show(`/settings/${page}`);
  await screen.findByRole('heading', { name: section, level: 2 });
  const known = entries().filter((entry) => entry.page === page && entry.section !== undefined);
  for (const entry of known) {
    expect(findSetting(document, entry), `${entry.section}: ${entry.label ?? 'the section'}`).not.toBeNull();
  }
  const sections = [...document.querySelectorAll('main section h2')].map(({ textContent }) => textContent);
  expect(new Set(known.map((entry) => entry.section))).toEqual(new Set(sections));
  // The rules, the password and the commands are forms of their own.
  const forms = ['Rules', 'Change password', 'Command runner'];
  for (const control of document.querySelectorAll('main section [data-control]')) {
    const heading = control.closest('section')?.querySelector('h2')?.textContent ?? '';
    if (forms.includes(heading)) continue;
    const isKnown = known.some((entry) => findSetting(document, entry) === control);
    expect(isKnown, `${heading}: ${control.textContent}`).toBe(true);
  }
});

test('finds settings by label, help text and page, by words in any order, without case and diacritics', () => {
  expect(search('CHÜNK size')[0]).toMatchObject({ page: 'global', label: 'Chunk size' });
  expect(search('size chunk')[0]?.label).toBe('Chunk size');
  expect(search('dot start')[0]?.label).toBe('Hide dotfiles');
  expect(search('permissions').some((entry) => entry.page === 'users')).toBe(true);
  expect(search('   ')).toEqual([]);
  expect(search('no such setting')).toEqual([]);
});

test('leads to a setting of another page, and moves the focus there', async () => {
  const user = userEvent.setup();
  show('/settings/profile');
  await user.type(searchField(), 'chunk size');
  expect(results()).toEqual(['Chunk sizeGlobal settings › Uploads']);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Chunk size')));
  expect(document.querySelector('output')?.textContent).toBe('/settings/global');
});

test('moves through the results with the arrow keys, and returns to the list of pages with Escape', async () => {
  const user = userEvent.setup();
  show('/settings/profile');
  expect(screen.getByRole('link', { name: 'Global settings' })).toBeTruthy();
  await user.type(searchField(), 'theme');
  const links = within(screen.getByRole('search')).getAllByRole('link');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(links[1]);
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(searchField());
  await user.keyboard('{ArrowDown}{Escape}');
  expect(document.activeElement).toBe(searchField());
  expect((searchField() as HTMLInputElement).value).toBe('');
  expect(screen.getByRole('link', { name: 'Global settings' })).toBeTruthy();
});

test('reports that nothing was found', async () => {
  const user = userEvent.setup();
  show('/settings/profile');
  await user.type(searchField(), 'no such setting');
  expect(screen.getByText('No settings match.')).toBeTruthy();
});
