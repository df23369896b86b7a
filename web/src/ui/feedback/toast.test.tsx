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
const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  closeAllToasts();
  vi.useRealTimers();
});

describe('the duration of toasts', () => {
  test('is four seconds for plain toasts, ten with an action, and as requested for others', () => {
    show('plain');
    show('with undo', { action: { label: 'Undo', onAction: () => undefined } });
    show('asked', { timeoutMs: 12_000 });
    advance(3999);
    expect(messages()).toEqual(['plain', 'with undo', 'asked']);
    advance(1);
    expect(messages()).toEqual(['with undo', 'asked']);
    advance(5999);
    expect(messages()).toEqual(['with undo', 'asked']);
    advance(1);
    expect(messages()).toEqual(['asked']);
    advance(2000);
    expect(messages()).toEqual([]);
  });

  test('is unlimited for errors', () => {
    const id = show('failed', { tone: 'error' });
    advance(3_600_000);
    expect(messages()).toEqual(['failed']);
    act(() => closeToast(id));
    expect(messages()).toEqual([]);
  });

  test('is cut short for the oldest temporary toast when there are more than three', () => {
    show('failed', { tone: 'error' });
    for (const message of ['one', 'two', 'three']) show(message);
    expect(messages()).toEqual(['failed', 'two', 'three']);
  });

  test('is cut short for an error that is shown again', () => {
    for (const message of ['same', 'other', 'same']) show(message, { tone: 'error' });
    expect(messages()).toEqual(['other', 'same']);
  });

  test('is cut short for the oldest error when there are only errors', () => {
    for (const message of ['one', 'two', 'three', 'four']) show(message, { tone: 'error' });
    expect(messages()).toEqual(['two', 'three', 'four']);
  });
});

describe('the toast region', () => {
  test('is present before its toasts, so that they are announced', () => {
    render(<ToastRegion />);
    const region = screen.getByRole('status', { name: 'Notifications' });
    show('Link copied');
    expect(region.textContent).toContain('Link copied');
  });

  test('pauses the timers while the pointer is on it and continues them afterwards', () => {
    render(<ToastRegion />);
    show('one');
    advance(3000);
    fireEvent.pointerEnter(screen.getByText('one'));
    advance(60_000);
    show('two');
    advance(60_000);
    expect(messages()).toEqual(['one', 'two']);
    fireEvent.pointerLeave(screen.getByText('one'));
    advance(2000);
    expect(messages()).toEqual(['two']);
    advance(3000);
    expect(messages()).toEqual([]);
  });

  test('keeps the toasts while one has the focus; closing it returns the focus', () => {
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
    advance(60_000);
    expect(messages()).toEqual(['one']);
    fireEvent.click(close);
    expect(messages()).toEqual([]);
    expect(document.activeElement).toBe(row);
    // The timer of the next toast runs, although the closed one sent no blur event.
    show('two');
    advance(5000);
    expect(messages()).toEqual([]);
  });

  test('runs an action once and closes its toast', () => {
    const onAction = vi.fn<() => void>();
    render(<ToastRegion />);
    show('3 items deleted', { action: { label: 'Undo', onAction } });
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(onAction).toHaveBeenCalledTimes(1);
    expect(messages()).toEqual([]);
  });
});

test('offers to report an error if an address for reports is known, but no other toast', () => {
  const { rerender } = render(<ToastRegion reportURL="https://example.com/report" />);
  show('failed', { tone: 'error' });
  show('done', { tone: 'success' });
  const links = screen.getAllByRole('link', { name: 'Report issue' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://example.com/report']);
  rerender(<ToastRegion reportURL="" />);
  expect(screen.queryByRole('link', { name: 'Report issue' })).toBeNull();
});

test('shows the key of an action on the latest toast only', () => {
  render(<ToastRegion />);
  const action = { label: 'Undo', shortcut: 'Mod+Z', onAction: () => undefined };
  show('first', { action });
  show('second', { action });
  show('plain');
  expect(screen.getByText('Ctrl+Z').closest('[data-tone]')?.textContent).toContain('second');
});
