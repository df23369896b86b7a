import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ToastRegion } from './toast-region.tsx';
import { closeAllToasts, closeToast, currentToasts, showToast, type ToastInput } from './toast.ts';

const messages = () => currentToasts().map(({ message }) => message);
function show(message: string, more: Partial<ToastInput> = {}): number {
  let id = 0;
  act(() => {
    id = showToast({ tone: 'info', message, ...more });
  });
  return id;
}
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  closeAllToasts();
  vi.useRealTimers();
});

describe('how long they stay', () => {
  test('plain notices stay four seconds, those with an action ten, others as long as asked', () => {
    show('plain');
    show('with undo', { action: { label: 'Undo', onAction: () => undefined } });
    show('asked', { timeoutMs: 12_000 });
    pass(3999);
    expect(messages()).toEqual(['plain', 'with undo', 'asked']);
    pass(1);
    expect(messages()).toEqual(['with undo', 'asked']);
    pass(5999);
    expect(messages()).toEqual(['with undo', 'asked']);
    pass(1);
    expect(messages()).toEqual(['asked']);
    pass(2000);
    expect(messages()).toEqual([]);
  });

  test('errors stay until they are closed', () => {
    const id = show('failed', { tone: 'error' });
    pass(3_600_000);
    expect(messages()).toEqual(['failed']);
    act(() => closeToast(id));
    expect(messages()).toEqual([]);
  });

  test('three at most; what would leave by itself makes room first', () => {
    show('failed', { tone: 'error' });
    for (const message of ['one', 'two', 'three']) show(message);
    expect(messages()).toEqual(['failed', 'two', 'three']);
  });

  test('the same error again takes the place of the first', () => {
    for (const message of ['same', 'other', 'same']) show(message, { tone: 'error' });
    expect(messages()).toEqual(['other', 'same']);
  });

  test('the oldest error makes room when there are only errors', () => {
    for (const message of ['one', 'two', 'three', 'four']) show(message, { tone: 'error' });
    expect(messages()).toEqual(['two', 'three', 'four']);
  });
});

describe('on the page', () => {
  test('they are announced in a place that is there before them', () => {
    render(<ToastRegion />);
    const region = screen.getByRole('status', { name: 'Notifications' });
    show('Link copied');
    expect(region.textContent).toContain('Link copied');
  });

  test('pointing at them stops the clock; it goes on where it stopped', () => {
    render(<ToastRegion />);
    show('one');
    pass(3000);
    fireEvent.pointerEnter(screen.getByText('one'));
    pass(60_000);
    show('two');
    pass(60_000);
    expect(messages()).toEqual(['one', 'two']);
    fireEvent.pointerLeave(screen.getByText('one'));
    pass(2000);
    expect(messages()).toEqual(['two']);
    pass(3000);
    expect(messages()).toEqual([]);
  });

  test('while one has the focus none leaves; closing it gives the focus back', () => {
    render(
      <>
        <button type="button">Row</button>
        <ToastRegion />
      </>,
    );
    show('one');
    const row = screen.getByRole('button', { name: 'Row' });
    act(() => row.focus());
    const close = screen.getByRole('button', { name: 'Close notification' });
    act(() => close.focus());
    pass(60_000);
    expect(messages()).toEqual(['one']);
    fireEvent.click(close);
    expect(messages()).toEqual([]);
    expect(document.activeElement).toBe(row);
    // The clock of the next one runs, though the closed one sent no blur.
    show('two');
    pass(5000);
    expect(messages()).toEqual([]);
  });

  test('its action runs once and closes it', () => {
    const onAction = vi.fn<() => void>();
    render(<ToastRegion />);
    show('3 items deleted', { action: { label: 'Undo', onAction } });
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(onAction).toHaveBeenCalledTimes(1);
    expect(messages()).toEqual([]);
  });
});

test('errors offer to report the problem where an address for it is known, other notices do not', () => {
  const { rerender } = render(<ToastRegion reportURL="https://example.com/report" />);
  show('failed', { tone: 'error' });
  show('done', { tone: 'success' });
  const links = screen.getAllByRole('link', { name: 'Report issue' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://example.com/report']);
  rerender(<ToastRegion reportURL="" />);
  expect(screen.queryByRole('link', { name: 'Report issue' })).toBeNull();
});
