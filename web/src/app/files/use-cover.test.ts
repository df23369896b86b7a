import { renderHook } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { useCover } from './use-cover.ts';

const listing = { focus: vi.fn() };

/** Opens a file above a page and returns the function that goes back. */
function openFile(): () => void {
  const parts = { current: listing };
  const { rerender } = renderHook(({ isFileOpen }) => useCover(isFileOpen, 'visit', parts), {
    initialProps: { isFileOpen: true },
  });
  return () => rerender({ isFileOpen: false });
}

describe('useCover', () => {
  afterEach(() => {
    listing.focus.mockClear();
    document.body.replaceChildren();
  });

  test('focuses the listing when a file is left that never had the focus', () => {
    const goBack = openFile();
    expect(listing.focus).not.toHaveBeenCalled();
    goBack();
    expect(listing.focus).toHaveBeenCalledOnce();
  });

  test('does not take the focus from another element', () => {
    const goBack = openFile();
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    goBack();
    expect(listing.focus).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(field);
  });
});
