import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { EntryDetails } from './entry-details.tsx';

const entry = {
  name: 'quote.txt',
  path: virtualPath('/quote.txt'),
  isFolder: false,
  isSymlink: false,
  type: 'text',
  size: 1200,
  modifiedMs: Date.parse('2026-11-11T16:20:00Z'),
} as const;
const written = { act: 'upload', by: 'Jonas', at: '2026-11-09T10:02:00Z' } as const;
const version = { id: 'v1', size: 900, modified: written.at, written };
const share = { hash: 'k7Q2wPzd', path: '/quote.txt', expire: 0, hasPassword: true, visits: 4 };

const onOpenFolder = vi.fn();
const details = { entry, canDownload: false, folderAddress: '/files/', onOpenFolder } as const;

afterEach(() => vi.unstubAllGlobals());

/** Responds to requests by a part of their paths; others fail. */
function respond(responses: Record<string, unknown>): void {
  vi.stubGlobal('fetch', async (url: string) => {
    const found = Object.entries(responses).find(([path]) => url.includes(path));
    return found ? new Response(JSON.stringify(found[1])) : new Response('{}', { status: 500 });
  });
}

test('shows the shares and the latest versions of a file', async () => {
  respond({
    '/api/share/': [share, { ...share, hash: 'expired', expire: 1 }],
    '/api/versions/list/': {
      written: null,
      isChangedOutside: false,
      versions: [version],
      next: null,
      total: 4,
    },
  });
  const onShare = vi.fn();
  const onVersions = vi.fn();
  render(<EntryDetails {...details} onShare={onShare} onVersions={onVersions} />);
  const shared = within(await screen.findByRole('region', { name: 'Shared' }));
  expect(shared.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '…/share/k7Q2wPzd4 visits · Never expires · Password',
  ]);
  await userEvent.click(shared.getByRole('button', { name: 'Edit' }));
  expect(onShare).toHaveBeenCalledOnce();
  const versions = within(await screen.findByRole('region', { name: 'Versions' }));
  expect(versions.getAllByRole('listitem')).toHaveLength(2);
  expect(versions.getByText(/Jonas.* · 900 B$/u)).toBeTruthy();
  await userEvent.click(versions.getByRole('button', { name: 'All 5' }));
  expect(onVersions).toHaveBeenCalledOnce();
});

test('shows no empty sections, and offers to share', async () => {
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url);
    return new Response(url.includes('/api/share/') ? '[]' : '{}', {
      status: url.includes('/api/share/') ? 200 : 500,
    });
  });
  const onShare = vi.fn();
  render(<EntryDetails {...details} onShare={onShare} onVersions={vi.fn()} />);
  const shared = within(await screen.findByRole('region', { name: 'Shared' }));
  expect(shared.getByText('Not shared')).toBeTruthy();
  await userEvent.click(shared.getByRole('button', { name: 'Share' }));
  expect(onShare).toHaveBeenCalledOnce();
  expect(requested).toHaveLength(2);
  expect(screen.getAllByRole('region').map((region) => region.ariaLabel)).toEqual(['About', 'Shared']);
});

test('opens the folder of the entry with a plain click on its location, and leaves others to the browser', async () => {
  respond({});
  render(<EntryDetails {...details} onShare={undefined} />);
  const location = screen.getByRole('link', { name: 'My files' });
  expect(location.getAttribute('href')).toBe('/files/');
  fireEvent.click(location, { ctrlKey: true });
  expect(onOpenFolder).not.toHaveBeenCalled();
  expect(fireEvent.click(location)).toBe(false);
  expect(onOpenFolder).toHaveBeenCalledOnce();
});

test('restores a version, and offers that only to users who may change the file', async () => {
  respond({
    '/api/versions/list/': {
      written: null,
      isChangedOutside: false,
      versions: [version],
      next: null,
      total: 1,
    },
  });
  const onRestore = vi.fn();
  const { rerender } = render(
    <EntryDetails {...details} onShare={undefined} onVersions={vi.fn()} onRestore={onRestore} />,
  );
  await userEvent.click(await screen.findByRole('button', { name: /^Restore this version/u }));
  expect(onRestore).toHaveBeenCalledExactlyOnceWith(version);
  rerender(<EntryDetails {...details} onShare={undefined} onVersions={vi.fn()} />);
  expect(screen.queryByRole('button', { name: /^Restore this version/u })).toBeNull();
});

test('names the kind as the list does, and the location as a path from the root', () => {
  respond({});
  const photo = {
    ...entry,
    name: 'cut.jpg',
    path: virtualPath('/Photos/Garden/cut.jpg'),
    type: 'image',
  } as const;
  render(<EntryDetails {...details} entry={photo} onShare={undefined} />);
  expect(screen.getByText('JPEG image')).toBeTruthy();
  const location = screen.getByRole('link').textContent?.replaceAll(/[\u2068\u2069]/gu, '');
  expect(location).toBe('My files / Photos / Garden');
});

/** Opens the checksums of a file of `size` bytes, and returns the requested algorithms. */
async function openChecksums(size: number): Promise<string[]> {
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { signal }: { signal: AbortSignal }) => {
    const algorithm = new URL(url, 'http://localhost').searchParams.get('checksum');
    if (algorithm === null) return new Response('{}', { status: 500 });
    requested.push(algorithm);
    // The server reads a large file until the request ends.
    if (size > 1e9) await new Promise((_, reject) => signal.addEventListener('abort', reject));
    return new Response(JSON.stringify({ checksums: { [algorithm]: `sum of ${algorithm}` } }));
  });
  render(<EntryDetails {...details} entry={{ ...entry, size }} onShare={undefined} />);
  expect(requested).toEqual([]);
  const heading = screen.getByText('Checksums');
  await userEvent.click(heading);
  await waitFor(() => expect(heading.closest('details')?.open).toBe(true));
  return requested;
}

test('computes all checksums when they are opened, each of which can be copied', async () => {
  const requested = await openChecksums(1200);
  expect(await screen.findByText('sum of sha512')).toBeTruthy();
  expect(requested).toEqual(['sha256', 'md5', 'sha1', 'sha512']);
  const copied = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } });
  await userEvent.click(screen.getByRole('button', { name: 'Copy SHA256' }));
  await waitFor(() => expect(copied).toHaveBeenCalledExactlyOnceWith('sum of sha256'));
});

test('computes a checksum of a large file on request only, until it is cancelled', async () => {
  const requested = await openChecksums(2e9);
  expect(requested).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Show SHA512' }));
  expect(requested).toEqual(['sha512']);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  expect(screen.getAllByRole('button', { name: /^Show / })).toHaveLength(4);
});
