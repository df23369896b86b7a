import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useAddressText } from './use-address-text.ts';

const delayMs = 150;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(query: string) {
  const written: string[] = [];
  const write = (next: string) => void written.push(next);
  const { result, rerender } = renderHook(
    ({ address }: { address: string }) => useAddressText(address, write, delayMs),
    { initialProps: { address: query } },
  );
  return {
    written,
    text: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    wait: () => act(() => vi.advanceTimersByTime(delayMs)),
    /** Renders the page with an address. */
    arrive: (address: string) => rerender({ address }),
  };
}

test('keeps what is typed while its own addresses arrive late', () => {
  const field = open('');
  field.type('r');
  field.wait();
  field.type('ro');
  field.wait();
  expect(field.written).toEqual(['r', 'ro']);
  field.arrive('r');
  expect(field.text()).toBe('ro');
  field.type('rol ');
  field.arrive('ro');
  expect(field.text()).toBe('rol ');
  field.wait();
  field.arrive('rol');
  expect(field.text()).toBe('rol ');
  field.wait();
  expect(field.written).toEqual(['r', 'ro', 'rol']);
});

test('keeps what is typed when addresses in between are never rendered', () => {
  const field = open('');
  for (const text of ['a', 'ab', 'abc']) {
    field.type(text);
    field.wait();
  }
  field.arrive('abc');
  expect(field.text()).toBe('abc');
  field.arrive('ab');
  expect(field.text()).toBe('ab');
});

test('follows other addresses', () => {
  const field = open('first');
  expect(field.text()).toBe('first');
  field.type('second');
  field.wait();
  field.arrive('second');
  field.arrive('');
  expect(field.text()).toBe('');
  field.wait();
  expect(field.written).toEqual(['second']);
});
