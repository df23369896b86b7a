import type { ListingHeader } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FolderSession } from '../../features/files/folder/folder-session.ts';
import type { PreviewEntry } from '../../features/previews/preview-entry.ts';
import { backgroundPlayerOf, pagePlayer } from './page-player.ts';

const header: ListingHeader = {
  path: '/Music',
  name: 'Music',
  modified: '2026-01-01T00:00:00Z',
  numDirs: 0,
  numFiles: 3,
  sorting: { by: 'name', asc: true },
  types: ['', 'audio', 'image'],
};
const lines = [
  header,
  ['1.mp3', 10, 1, 1],
  ['2.mp3', 10, 1, 1],
  ['cover.png', 10, 1, 2],
  { end: true, numDirs: 0, numFiles: 3 },
];
const second: PreviewEntry = {
  name: '2.mp3',
  path: virtualPath('/Music/2.mp3'),
  type: 'audio',
  size: 10,
  modifiedMs: 1000,
};

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const headers = { 'Content-Type': 'application/x-ndjson' };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { headers })));
});
afterEach(() => {
  pagePlayer.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const namesOfTracks = () => pagePlayer.getSnapshot().tracks.map(({ name }) => name);

test('loads the other recordings of a folder that was left before it was listed', async () => {
  const player = backgroundPlayerOf(new FolderSession(virtualPath('/Music')));
  player.continueWith(second, [], { seconds: 3, rate: 1, isPlaying: true });
  expect(namesOfTracks()).toEqual(['2.mp3']);
  await vi.waitFor(() => expect(namesOfTracks()).toEqual(['1.mp3', '2.mp3']));
  expect(pagePlayer.track?.path).toBe(second.path);
});

test('does not load a complete listing again', async () => {
  const session = new FolderSession(virtualPath('/Music'));
  await session.reload();
  session.stop();
  const request = vi.fn(fetch);
  vi.stubGlobal('fetch', request);
  backgroundPlayerOf(session).continueWith(second, [second], { seconds: 0, rate: 1, isPlaying: false });
  expect(namesOfTracks()).toEqual(['2.mp3']);
  expect(request).not.toHaveBeenCalled();
});
