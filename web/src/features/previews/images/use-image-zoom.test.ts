import type { EntryType } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PreviewEntry } from '../preview-entry.ts';
import { useImageZoom } from './use-image-zoom.ts';

const entry = (name: string, type: EntryType = 'image'): PreviewEntry => ({
  path: virtualPath(`/${name}`),
  name,
  type,
  size: 10,
  modifiedMs: 0,
});
const stage = { frame: { width: 800, height: 600 }, natural: { width: 1600, height: 1200 } };

const renderZoom = (shown = entry('1.png')) =>
  renderHook(({ entry }) => useImageZoom(entry, true), { initialProps: { entry: shown } });

test('keeps keys that are pressed before the image has loaded', () => {
  const { result } = renderZoom();
  act(() => result.current.zoom(1));
  expect(result.current.view.scale).toBe(1.25);
  act(() => result.current.measure(stage));
  expect(result.current.view.scale).toBe(1.25);
});

test('counts every key that is pressed before the next rendering', () => {
  const { result } = renderZoom();
  act(() => {
    const { measure, zoom } = result.current;
    measure(stage);
    for (let press = 0; press < 3; press++) zoom(1);
  });
  expect(result.current.view.scale).toBe(1.75);
});

test('shows the actual size once an image has loaded for which it was requested before', () => {
  const { result } = renderZoom();
  act(() => result.current.toggleActualSize());
  act(() => result.current.measure(stage));
  expect(result.current.view.scale).toBe(2);
  expect(result.current.isActualSize).toBe(true);
});

test('discards the measurements of the previous image, also those that arrive late', () => {
  const { result, rerender } = renderZoom();
  const { measure } = result.current;
  act(() => measure(stage));
  expect(result.current.isShown).toBe(true);
  rerender({ entry: entry('2.png') });
  act(() => measure(stage));
  expect(result.current.isShown).toBe(false);
  expect(result.current.view.scale).toBe(1);
});

test('does not zoom other files', () => {
  const { result } = renderZoom(entry('song.mp3', 'audio'));
  act(() => result.current.zoom(1));
  expect(result.current.view.scale).toBe(1);
  expect(result.current.percent).toBeNull();
});
