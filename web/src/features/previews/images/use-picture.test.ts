import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import type { PreviewEntry } from '../preview-entry.ts';
import { usePicture } from './use-picture.ts';

const picture: PreviewEntry = {
  path: virtualPath('/1.png'),
  name: '1.png',
  type: 'image',
  size: 500,
  modifiedMs: 7,
};
const original = '/api/raw/1.png?inline=true&key=7';
const reduced = '/api/preview/big/1.png?inline=true&key=7';

const configured = { ...pageConfig };
beforeEach(() => void Object.assign(pageConfig, { ResizePreview: true }));
afterEach(() => void Object.assign(pageConfig, configured));

function usePictureOf(entry: PreviewEntry) {
  const onBroken = vi.fn<() => void>();
  const hook = renderHook((shown: PreviewEntry) => usePicture(shown, false, onBroken), {
    initialProps: entry,
  });
  return { ...hook, onBroken };
}

test('tries the original after the picture of the server, and then reports the file as broken', () => {
  const { result, onBroken } = usePictureOf(picture);
  expect(result.current.url).toBe(reduced);
  act(() => result.current.onError());
  expect(result.current.url).toBe(original);
  expect(onBroken).not.toHaveBeenCalled();
  act(() => result.current.onError());
  expect(onBroken).toHaveBeenCalledOnce();
});

test('tries the next source although the file becomes another object at the same moment', () => {
  const { result, rerender } = usePictureOf(picture);
  act(() => {
    result.current.onError();
    rerender({ ...picture });
  });
  expect(result.current.url).toBe(original);
});

test('begins with the first source of a version that has changed', () => {
  const { result, rerender } = usePictureOf(picture);
  act(() => result.current.onError());
  rerender({ ...picture, modifiedMs: 8 });
  expect(result.current.url).toBe('/api/preview/big/1.png?inline=true&key=8');
});
