import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { useLostFocus } from './use-lost-focus.ts';

/** Two entries that can be removed, or made inert together, and the element that the focus returns to. */
function Page() {
  const [entries, setEntries] = useState(['first', 'second']);
  const [isInert, setInert] = useState(false);
  const home = useRef<HTMLDivElement>(null);
  useLostFocus(() => home.current?.focus());
  return (
    <>
      <div ref={home} tabIndex={-1} data-testid="home" />
      <div inert={isInert}>
        {entries.map((entry) => (
          <button
            key={entry}
            type="button"
            onClick={() => setEntries(entries.filter((one) => one !== entry))}
          >
            {entry}
          </button>
        ))}
        <button type="button" onClick={() => setInert(true)}>
          cover
        </button>
      </div>
    </>
  );
}

const press = (name: string) => {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
};

test('returns the focus when its element is removed', async () => {
  render(<Page />);
  press('first');
  expect(screen.queryByRole('button', { name: 'first' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('home')));
});

test('returns the focus before a key is handled, so that Tab continues from there', () => {
  render(<Page />);
  press('first');
  expect(document.activeElement).toBe(document.body);
  fireEvent.keyDown(document.body, { key: 'Tab' });
  expect(document.activeElement).toBe(screen.getByTestId('home'));
});

test('keeps the focus when another element is removed', async () => {
  render(<Page />);
  screen.getByRole('button', { name: 'second' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'first' }));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'second' }));
});

test('leaves the focus on the page after a click on empty space', async () => {
  render(<Page />);
  const second = screen.getByRole('button', { name: 'second' });
  second.focus();
  second.blur();
  fireEvent.click(screen.getByRole('button', { name: 'first' }));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(document.activeElement).toBe(document.body);
});

test('returns the focus when its element becomes inert', async () => {
  render(<Page />);
  press('cover');
  // jsdom keeps the focus; browsers remove it.
  (document.activeElement as HTMLElement).blur();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('home')));
});

/** A page whose focus cannot be returned while it is covered. */
function CoveredPage({ isCovered }: { isCovered: boolean }) {
  const home = useRef<HTMLDivElement>(null);
  useLostFocus(() => {
    if (!isCovered) home.current?.focus();
  });
  return (
    <div inert={isCovered}>
      <div ref={home} tabIndex={-1} data-testid="home" />
      <button type="button">open</button>
    </div>
  );
}

test('returns the focus when its element is no longer inert and nothing had the focus meanwhile', async () => {
  const { rerender } = render(<CoveredPage isCovered={false} />);
  screen.getByRole('button', { name: 'open' }).focus();
  rerender(<CoveredPage isCovered />);
  (document.activeElement as HTMLElement).blur();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(document.activeElement).toBe(document.body);
  rerender(<CoveredPage isCovered={false} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('home')));
});
