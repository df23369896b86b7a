import { SettingsResponse } from '@filestead/contract/settings';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { jsonResponse } from '../../api/test-responses.ts';
import { storeToken } from '../../api/token-store.ts';
import { signIn } from '../../features/sessions/session-store.ts';
import { ada, tokenOf } from '../../features/sessions/test-token.ts';
import { i18n } from '../../i18n/i18n.ts';
import { MemoryRouter } from '../../ui/navigation/router-testing.tsx';
import { Routes, useLocation } from '../../ui/navigation/router.tsx';
import { RequireUser } from '../routes/guards.tsx';
import { SettingsRoutes } from '../routes/settings-routes.tsx';
import { findSettings } from './find-settings.ts';
import { findSetting, revealSetting } from './reveal-setting.ts';
import { settingEntries, settingsNamespaces } from './settings-entries.ts';
import { SettingsSearch } from './settings-search.tsx';

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

function SignedIn({ children }: { children: ReactNode }) {
  return <Routes paths={{ '/login': null }} otherwise={<RequireUser>{children}</RequireUser>} />;
}

// The pages are large: queries by role would take seconds.
const headings = (): string[] =>
  [...document.querySelectorAll('main section h2')].map(({ textContent }) => textContent);

test.each([
  ['profile', 'Files'],
  ['global', 'New users'],
] as const)('every setting of the page “%s” can be found, and is on the page', async (page, section) => {
  render(
    <MemoryRouter address={`/settings/${page}`}>
      <SignedIn>
        <SettingsRoutes unknown="unknown" />
      </SignedIn>
    </MemoryRouter>,
  );
  await vi.waitFor(() => expect(headings()).toContain(section), { timeout: 20_000 });
  const known = entries().filter((entry) => entry.page === page && entry.section !== undefined);
  for (const entry of known) {
    expect(findSetting(document, entry), `${entry.section}: ${entry.label ?? 'the section'}`).not.toBeNull();
  }
  expect(new Set(known.map((entry) => entry.section))).toEqual(new Set(headings()));
  // The rules, the password and the commands are forms of their own.
  const forms = new Set(['Rules', 'Change password', 'Command runner']);
  const found = new Set(known.map((entry) => findSetting(document, entry)));
  for (const control of document.querySelectorAll<HTMLElement>('main section [data-control]')) {
    const heading = control.closest('section')?.querySelector('h2')?.textContent ?? '';
    expect(forms.has(heading) || found.has(control), `${heading}: ${control.textContent}`).toBe(true);
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

/** Shows the address and the state of the history entry. */
function CurrentLocation() {
  const { pathname, state } = useLocation();
  return <output>{`${pathname} ${JSON.stringify(state)}`}</output>;
}

function showSearch(): void {
  render(
    <MemoryRouter address="/settings/profile">
      <CurrentLocation />
      <SignedIn>
        <SettingsSearch>the pages</SettingsSearch>
      </SignedIn>
    </MemoryRouter>,
  );
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search settings' });

function type(text: string): void {
  field().focus();
  fireEvent.change(field(), { target: { value: text } });
}
/** Presses keys at the focused element. */
function press(...keys: readonly string[]): void {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

test('leads to the first result with Enter, and shows the list of pages again', () => {
  showSearch();
  type('chunk size');
  const results = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(results).toEqual(['Chunk sizeGlobal settings › Uploads']);
  expect(screen.queryByText('the pages')).toBeNull();
  press('Enter');
  expect(document.querySelector('output')?.textContent).toBe(
    '/settings/global {"setting":{"section":"Uploads","label":"Chunk size"}}',
  );
  expect(screen.getByText('the pages')).toBeTruthy();
});

test('moves through the results with the arrow keys, and empties the field with Escape', () => {
  showSearch();
  type('theme');
  const links = screen.getAllByRole('link');
  press('ArrowDown', 'ArrowDown');
  expect(document.activeElement).toBe(links[1]);
  press('ArrowUp', 'ArrowUp');
  expect(document.activeElement).toBe(field());
  press('ArrowDown', 'Escape');
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('');
  expect(screen.getByText('the pages')).toBeTruthy();
});

test('reports that nothing was found', () => {
  showSearch();
  type('no such setting');
  expect(screen.getByText('No settings match.')).toBeTruthy();
});

describe('revealing a setting', () => {
  const section =
    '<section><h2>Uploads</h2><div data-control="field"><label data-part="label">Chunk size</label><input /></div></section>';
  const place = { section: 'Uploads', label: 'Chunk size' };
  let page: HTMLElement;
  beforeEach(() => {
    page = document.createElement('div');
    document.body.append(page);
  });
  afterEach(() => page.remove());

  test('moves the focus to it as soon as it is rendered', async () => {
    revealSetting(page, place);
    page.innerHTML = section;
    await vi.waitFor(() => expect(document.activeElement).toBe(page.querySelector('input')));
    expect(page.querySelector('[data-revealed]')).not.toBeNull();
  });

  test('focuses the heading of a section', () => {
    page.innerHTML = section;
    revealSetting(page, { section: 'Uploads' });
    expect(document.activeElement).toBe(page.querySelector('h2'));
  });

  test('leaves the focus alone once the user has pressed a key', async () => {
    revealSetting(page, place);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    page.innerHTML = section;
    await Promise.resolve();
    expect(document.activeElement).toBe(document.body);
  });
});
