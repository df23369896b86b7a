import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Player } from './player.ts';
import { loadPlayer, savePlayer } from './saved-player.ts';
import type { Track } from './track.ts';

const track = (name: string): Track => ({
  path: virtualPath(`/${name}`),
  name,
  kind: 'audio',
  size: 10,
  url: `/api/raw/${name}`,
  coverUrl: null,
});
const tracks = ['1.mp3', '2.mp3', '3.mp3'].map(track);
const beginning = { seconds: 0, rate: 1, isPlaying: true };

let metadata = { currentTime: 0, duration: 180, readyState: 4, paused: true };
beforeEach(() => {
  metadata = { currentTime: 0, duration: 180, readyState: 4, paused: true };
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
    metadata.paused = false;
    this.dispatchEvent(new Event('play'));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    metadata.paused = true;
    this.dispatchEvent(new Event('pause'));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

/** Opens a player whose media element reports `metadata`. */
function openPlayer() {
  const saved = new Map<string, number>();
  const player = new Player({
    load: ({ name }) => saved.get(name) ?? 0,
    save: ({ name }, seconds) => void saved.set(name, seconds),
  });
  for (const name of Object.keys(metadata) as (keyof typeof metadata)[]) {
    Object.defineProperty(player.media, name, {
      get: () => metadata[name],
      set: (value: never) => {
        metadata[name] = value;
      },
    });
  }
  const fire = (name: string) => player.media.dispatchEvent(new Event(name));
  return { player, fire, saved };
}

test('plays on while the recordings around the current one are replaced', () => {
  const { player } = openPlayer();
  player.open(tracks.slice(1, 2), 0, beginning);
  expect(player.hasNext).toBe(false);
  const loads = vi.mocked(HTMLMediaElement.prototype.load).mock.calls.length;
  player.setTracks(tracks);
  expect(player.getSnapshot()).toMatchObject({ index: 1, isPlaying: true });
  expect(player.hasNext).toBe(true);
  expect(HTMLMediaElement.prototype.load).toHaveBeenCalledTimes(loads);
  player.setTracks(tracks.slice(2));
  expect(player.track?.name).toBe('2.mp3');
});

test('plays the recordings of a folder one after the other, and stops after the last one', () => {
  const { player, fire } = openPlayer();
  player.open(tracks, 1, beginning);
  expect(player.getSnapshot()).toMatchObject({ index: 1, isPlaying: true });
  fire('ended');
  expect(player.track?.name).toBe('3.mp3');
  expect(player.hasNext).toBe(false);
  fire('ended');
  expect(player.track?.name).toBe('3.mp3');
});

test('continues at a point and with a rate once the length is known', () => {
  const { player, fire } = openPlayer();
  player.open(tracks, 0, { seconds: 42, rate: 1.5, isPlaying: false });
  expect(player.getSnapshot()).toMatchObject({ seconds: 42, isPlaying: false });
  fire('loadedmetadata');
  expect(metadata.currentTime).toBe(42);
  expect(player.media.defaultPlaybackRate).toBe(1.5);
});

test('returns to the beginning of a recording first, and at its beginning to the previous one', () => {
  const { player } = openPlayer();
  player.open(tracks, 1, beginning);
  metadata.currentTime = 60;
  player.previous();
  expect(player.getSnapshot()).toMatchObject({ index: 1, seconds: 0 });
  player.previous();
  expect(player.track?.name).toBe('1.mp3');
});

test('skips recordings that cannot be played, and reports the last one', () => {
  const { player, fire } = openPlayer();
  player.open(tracks, 0, beginning);
  fire('error');
  fire('error');
  expect(player.track?.name).toBe('3.mp3');
  fire('error');
  expect(player.getSnapshot()).toMatchObject({ index: 2, hasFailed: true, isPlaying: false });
});

test('saves the position of a recording when it is paused or left', () => {
  const { player, saved } = openPlayer();
  player.open(tracks, 0, beginning);
  metadata.currentTime = 100;
  player.pause();
  expect(saved.get('1.mp3')).toBe(100);
  metadata.currentTime = 120;
  player.next();
  expect(saved.get('1.mp3')).toBe(120);
});

test('is empty after it has been closed', () => {
  const { player } = openPlayer();
  player.open(tracks, 0, beginning);
  player.close();
  expect(player.track).toBeNull();
  expect(player.getSnapshot().tracks).toEqual([]);
});

test('a reload restores recordings, position and rate of the same user only', () => {
  const saved = { userId: 1, tracks, index: 2, seconds: 12.5, rate: 2, isPlaying: true };
  savePlayer(saved);
  expect(loadPlayer(1)).toEqual(saved);
  expect(loadPlayer(2)).toBeNull();
  savePlayer(null);
  expect(loadPlayer(1)).toBeNull();
});

test('a reload restores the neighbors of the current recording in a folder of thousands', () => {
  const many = Array.from({ length: 3000 }, (_, index) => track(`${index}.mp3`));
  savePlayer({ userId: 1, tracks: many, index: 1500, seconds: 1, rate: 1, isPlaying: true });
  const loaded = loadPlayer(1);
  expect(loaded?.tracks).toHaveLength(201);
  expect(loaded?.tracks[loaded.index]?.name).toBe('1500.mp3');
});

test.each([
  '{',
  '[]',
  '{"userId":1,"tracks":[{"path":"/a"}],"index":0}',
  '{"userId":1,"tracks":[],"index":7}',
])('ignores the stored state %s', (text) => {
  sessionStorage.setItem('filestead.player', text);
  expect(loadPlayer(1)).toBeNull();
});
