import type { ListingRow } from '@filestead/contract/files';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation } from '../../../ui/navigation/router.tsx';
import { MemoryRouter } from '../../../ui/navigation/router-testing.tsx';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonResponse, problemResponse } from '../../../api/test-responses.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { currentToken, storeToken } from '../../../api/token-store.ts';
import { PublicPage } from './public-page.tsx';
import { previewedOver, previewOver, type PublicPreviews } from './public-previews.ts';
import { publicLocationOf } from '../share-address.ts';

const fetched = vi.fn<typeof fetch>();
const started = vi.fn<(address: string) => void>();

beforeEach(() => {
  fetched.mockReset();
  started.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('scrollTo', vi.fn());
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    started(this.getAttribute('href') ?? '');
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
  Object.assign(pageConfig, { EnableThumbs: false });
});

function folderResponse(rows: readonly ListingRow[], header: object = {}): Response {
  const types = ['', 'text', 'image'];
  const numDirs = rows.filter(([, , , type]) => type === 0).length;
  const counts = { numDirs, numFiles: rows.length - numDirs };
  const head = {
    path: '/',
    name: 'Trip',
    modified: '2026-11-20T10:00:00Z',
    sorting: { by: 'name', asc: false },
    ...counts,
    types,
    ...header,
  };
  const lines = [head, ...rows, { end: true, ...counts }];
  return new Response(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
}
const modifiedMs = Date.UTC(2026, 10, 20);
const rowsOf = (count: number): ListingRow[] =>
  Array.from({ length: count }, (_, index) => [`${index}.txt`, 10, modifiedMs, 1]);

const previews: PublicPreviews = {
  canPreview: () => true,
  render: ({ file, siblings }) => (
    <div role="dialog" aria-label={file.name}>
      {siblings.map(({ name }) => name).join(' ')}
    </div>
  ),
};

function Page() {
  const { pathname, state } = useLocation();
  const location = publicLocationOf(pathname);
  const [name, setName] = useState('');
  return (
    <>
      <title>{name}</title>
      {location && (
        <PublicPage
          location={location}
          over={previewedOver(state)}
          previews={previews}
          menu={null}
          onName={setName}
        />
      )}
    </>
  );
}
const open = (address = '/share/Ab') =>
  render(
    <MemoryRouter address={address}>
      <Page />
    </MemoryRouter>,
  );
const asked = (index: number) => {
  const [url, init] = fetched.mock.calls[index] ?? [];
  return { url: String(url), password: new Headers(init?.headers).get('X-SHARE-PASSWORD') };
};

test('shows the metadata, the items and the downloads of a shared folder', async () => {
  fetched.mockResolvedValueOnce(
    folderResponse([
      ['inner', 0, modifiedMs, 0],
      ['a.txt', 2048, modifiedMs, 1],
    ]),
  );
  open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Trip' })).toBeDefined();
  expect(screen.getByText('2 items')).toBeDefined();
  const box = screen.getByRole('region', { name: 'Download folder' });
  expect(within(box).getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/api/public/dl/Ab/');
  expect(screen.getByRole('link', { name: 'inner' }).getAttribute('href')).toBe('/share/Ab/inner/');
  expect(screen.getByRole('link', { name: 'a.txt' }).getAttribute('href')).toBe('/share/Ab/a.txt');
  expect(asked(0)).toEqual({ url: '/api/public/share/Ab/', password: null });
});

const lists = () => screen.getAllByRole('list').map((list) => within(list).getAllByRole('listitem').length);
const ratioOf = async (name: string) =>
  (await screen.findByRole('link', { name })).closest('li')?.style.getPropertyValue('--ratio');
const pictureRows: ListingRow[] = [
  ['inner', 0, modifiedMs, 0],
  ['note.txt', 10, modifiedMs, 1],
  ['tall.png', 10, modifiedMs, 2],
  ['wide.png', 10, modifiedMs, 2],
];

test('lays out pictures by the sizes that the server knows before any of them is loaded', async () => {
  Object.assign(pageConfig, { EnableThumbs: true });
  fetched.mockResolvedValueOnce(folderResponse(pictureRows, { token: 'key' }));
  // The first response has only the row that was ready.
  fetched.mockResolvedValueOnce(jsonResponse({ rows: [{ width: 300, height: 400 }] }));
  fetched.mockResolvedValueOnce(jsonResponse({ rows: [null] }));
  open();
  expect(await ratioOf('tall.png')).toBe('0.75');
  await waitFor(() => expect(fetched).toHaveBeenCalledTimes(3));
  const bodies = fetched.mock.calls.slice(1).map(([url, init]) => `${String(url)} ${String(init?.body)}`);
  expect(bodies).toEqual([
    '/api/public/media/Ab/?token=key {"names":["tall.png","wide.png"]}',
    '/api/public/media/Ab/?token=key {"names":["wide.png"]}',
  ]);
  const wide = (await screen.findByRole('link', { name: 'wide.png' })).closest('li');
  await waitFor(() => expect(wide?.dataset['whole']).toBe('true'));
  const picture = wide?.querySelector('img');
  if (!wide || !picture) throw new Error('There is no picture.');
  for (const [name, pixels] of Object.entries({ naturalWidth: 400, naturalHeight: 100 }))
    Object.defineProperty(picture, name, { value: pixels });
  fireEvent.load(picture);
  // The server does not know the size of this picture: it is shown whole in its frame, and moves no other.
  expect(await ratioOf('wide.png')).toBe('1.5');
  expect(await ratioOf('tall.png')).toBe('0.75');
});

test('shows pictures without their sizes when the server takes long', async () => {
  Object.assign(pageConfig, { EnableThumbs: true });
  let answer: (response: Response) => void = () => undefined;
  fetched.mockResolvedValueOnce(folderResponse(pictureRows));
  fetched.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  open();
  expect(await ratioOf('tall.png')).toBe('1.5');
  answer(jsonResponse({ rows: [{ width: 300, height: 400 }, null] }));
  await waitFor(async () => expect(await ratioOf('tall.png')).toBe('0.75'));
});

test('shows pictures with their own proportions, below the folders, and their names as links', async () => {
  Object.assign(pageConfig, { EnableThumbs: true });
  fetched.mockResolvedValueOnce(
    folderResponse([
      ['inner', 0, modifiedMs, 0],
      ['tall.png', 10, modifiedMs, 2],
      ['wide.png', 10, modifiedMs, 2],
    ]),
  );
  open();
  const tall = (await screen.findByRole('link', { name: 'tall.png' })).closest('li');
  const picture = tall?.querySelector('img');
  if (!tall || !picture) throw new Error('There is no picture.');
  expect(picture.getAttribute('src')).toContain('/preview/medium/');
  expect(tall.style.getPropertyValue('--ratio')).toBe('1.5');
  for (const [name, pixels] of Object.entries({ naturalWidth: 300, naturalHeight: 400 }))
    Object.defineProperty(picture, name, { value: pixels });
  fireEvent.load(picture);
  expect(tall.style.getPropertyValue('--ratio')).toBe('0.75');
  expect(lists()).toEqual([1, 2]);
  await userEvent.click(screen.getByRole('radio', { name: 'List' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
});

test('shows a hundred items first, then a hundred more', async () => {
  fetched.mockResolvedValueOnce(folderResponse(rowsOf(230)));
  open();
  expect(await screen.findByText('+130')).toBeDefined();
  // Queries by role read the whole page each time.
  const items = () => document.querySelectorAll('main li a').length;
  expect(items()).toBe(100);
  // A click by `userEvent` computes the styles of the whole page first.
  fireEvent.click(screen.getByText('+130'));
  expect([items(), screen.getByText('+30').textContent]).toEqual([200, '+30']);
  fireEvent.click(screen.getByText('+30'));
  expect([items(), screen.queryByText('Show more')]).toEqual([230, null]);
});

test('shows a message for an empty folder', async () => {
  fetched.mockResolvedValueOnce(folderResponse([]));
  open();
  expect(await screen.findByText('It feels lonely here...')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Select multiple' })).toBeNull();
});

test('counts selected items and downloads them together; Escape clears the selection', async () => {
  const user = userEvent.setup();
  fetched.mockResolvedValueOnce(folderResponse(rowsOf(3)));
  open();
  await user.click(await screen.findByRole('button', { name: 'Select multiple' }));
  await user.click(screen.getByRole('button', { name: '0.txt' }));
  await user.click(screen.getByRole('button', { name: '2.txt' }));
  await user.click(screen.getByRole('button', { name: 'Download 2 items' }));
  expect(started).toHaveBeenCalledExactlyOnceWith('/api/public/dl/Ab/?files=0.txt%2C2.txt');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('button', { name: /Download \d/u })).toBeNull();
  expect(screen.getByRole('link', { name: '0.txt' })).toBeDefined();
});

test('asks for the password of a protected share until it is right, and stores only the token', async () => {
  const user = userEvent.setup();
  storeToken('the.users.session');
  fetched
    .mockResolvedValueOnce(problemResponse(401, 'password_required'))
    .mockResolvedValueOnce(problemResponse(401, 'password_required'))
    .mockResolvedValueOnce(folderResponse(rowsOf(1), { token: 'ticket' }));
  open();
  const field = await screen.findByLabelText('Password');
  expect(screen.queryByText('Wrong credentials')).toBeNull();
  await user.type(field, 'wröng{Enter}');
  expect(await screen.findByText('Wrong credentials')).toBeDefined();
  await user.clear(screen.getByLabelText('Password'));
  await user.type(screen.getByLabelText('Password'), 'right');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  const box = await screen.findByRole('region', { name: 'Download folder' });
  expect(within(box).getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
    '/api/public/dl/Ab/?token=ticket',
  );
  expect([asked(1), asked(2)]).toEqual([
    { url: '/api/public/share/Ab/', password: 'wr%C3%B6ng' },
    { url: '/api/public/share/Ab/', password: 'right' },
  ]);
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/right|wr/u);
  // A refused visitor is still signed in.
  expect(currentToken()).toBe('the.users.session');
});

test('opens the share with a stored token, and asks for the password after it has expired', async () => {
  sessionStorage.setItem('filestead.share.Ab', 'ticket');
  fetched.mockResolvedValueOnce(folderResponse(rowsOf(1), { token: 'ticket' }));
  const { unmount } = open();
  await screen.findByRole('heading', { level: 1, name: 'Trip' });
  expect(asked(0).url).toBe('/api/public/share/Ab/?token=ticket');
  unmount();
  fetched.mockResolvedValueOnce(problemResponse(401, 'password_required'));
  open();
  expect(await screen.findByLabelText('Password')).toBeDefined();
  expect(screen.queryByText('Wrong credentials')).toBeNull();
  expect(sessionStorage.getItem('filestead.share.Ab')).toBeNull();
});

test('shows how long to wait after too many attempts, and keeps the typed password', async () => {
  fetched
    .mockResolvedValueOnce(problemResponse(401, 'password_required'))
    .mockResolvedValueOnce(problemResponse(429, 'too_many_requests', { 'Retry-After': '120' }));
  open();
  await userEvent.type(await screen.findByLabelText('Password'), 'guess{Enter}');
  expect(await screen.findByText('Too many attempts. Try again in 2 mins.')).toBeDefined();
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('guess');
});

test.each([
  [404, 'not_found', "This location can't be reached.", false],
  [403, 'forbidden', "You don't have permission to access this.", false],
  [500, 'internal_error', 'Something really went wrong.', true],
])('shows an error page with the code for status %i', async (status, code, title, mayRetry) => {
  fetched.mockResolvedValueOnce(problemResponse(status, code));
  open();
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(screen.getByText(`Error ${status}`)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(mayRetry);
});

test('opens a folder, and its breadcrumbs lead back', async () => {
  fetched
    .mockResolvedValueOnce(folderResponse([['inner', 0, modifiedMs, 0]]))
    .mockResolvedValueOnce(folderResponse(rowsOf(1), { path: '/inner/', name: 'inner' }))
    .mockResolvedValueOnce(folderResponse([['inner', 0, modifiedMs, 0]]));
  open();
  await userEvent.click(await screen.findByRole('link', { name: 'inner' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'inner' })).toBeDefined();
  expect(asked(1).url).toBe('/api/public/share/Ab/inner');
  await userEvent.click(screen.getByRole('link', { name: 'Back to the shared folder' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Trip' })).toBeDefined();
  expect(fetched).toHaveBeenCalledTimes(3);
});

test('shows a share of one file with its name and a link, without breadcrumbs', async () => {
  fetched.mockResolvedValueOnce(
    jsonResponse({
      path: '',
      name: 'a b.png',
      size: 2048,
      extension: '.png',
      modified: '2026-11-20T10:00:00Z',
      mode: 0,
      isDir: false,
      isSymlink: false,
      type: 'image',
    }),
  );
  open('/share/Ab');
  expect(await screen.findByRole('heading', { level: 1, name: 'a b.png' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Download file' })).toBeDefined();
  expect(screen.getByText('2 KB')).toBeDefined();
  const opened = screen.getByRole('link', { name: 'Open file' }).getAttribute('href');
  expect(opened).toContain('/api/public/dl/Ab/a%20b.png?inline=true');
  expect(screen.getByRole('img', { name: 'a b.png' })).toBeDefined();
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('opens a file above its folder, which stays as it is', async () => {
  const user = userEvent.setup();
  fetched.mockResolvedValueOnce(folderResponse(rowsOf(130)));
  open();
  await user.click(await screen.findByText('+30'));
  await user.click(screen.getByText('120.txt'));
  expect(screen.getByRole('dialog', { name: '120.txt' }).textContent).toMatch(/^0\.txt 1\.txt .* 129\.txt$/u);
  expect(document.title).toBe('120.txt');
  expect(screen.getByRole('heading', { level: 1, name: 'Trip' })).toBeDefined();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('shows an error page for a file that was removed from its folder meanwhile', async () => {
  fetched.mockResolvedValueOnce(folderResponse(rowsOf(1)));
  fetched.mockResolvedValueOnce(problemResponse(404, 'not_found'));
  render(
    <MemoryRouter address="/share/Ab/gone.txt" state={previewOver('folder')}>
      <Page />
    </MemoryRouter>,
  );
  expect(await screen.findByText('Error 404')).toBeDefined();
  expect([asked(0).url, asked(1).url]).toEqual(['/api/public/share/Ab/', '/api/public/share/Ab/gone.txt']);
});

test('shows the expiry of a shared single file and opens it in the previewer', async () => {
  const user = userEvent.setup();
  const expire = Math.floor(Date.UTC(2030, 10, 24, 12) / 1000);
  fetched.mockResolvedValueOnce(
    jsonResponse({
      name: 'plan.md',
      path: '',
      size: 5,
      type: 'text',
      modified: '2026-11-20T10:00:00Z',
      expire,
    }),
  );
  open();
  expect(await screen.findByText('Shared until 24 Nov 2030')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  expect(screen.getByRole('dialog', { name: 'plan.md' })).toBeDefined();
  expect(fetched).toHaveBeenCalledTimes(1);
});
