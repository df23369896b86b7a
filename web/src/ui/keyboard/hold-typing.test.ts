import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdTyping, takeHeldTyping, typeInto } from './hold-typing.ts';

const onPageKey = vi.fn<(key: string) => void>();
const onKeyDown = ({ key }: KeyboardEvent): void => onPageKey(key);

beforeEach(() => document.addEventListener('keydown', onKeyDown));
afterEach(() => {
  takeHeldTyping();
  document.removeEventListener('keydown', onKeyDown);
  onPageKey.mockReset();
  document.body.replaceChildren();
});

/** Presses keys one after the other. */
function press(...keys: (string | KeyboardEventInit)[]): void {
  for (const key of keys) {
    const init = typeof key === 'string' ? { key } : key;
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
  }
}

test('text and the first Enter are held, and reach nothing else', () => {
  holdTyping();
  press('r', 'o', 'n', 'Backspace', 'm', ' ', 'é', 'Enter', 'x', 'Backspace');
  expect(takeHeldTyping()).toBe('rom é\n');
  expect(onPageKey).not.toHaveBeenCalled();
  press('x');
  expect(onPageKey.mock.calls).toEqual([['x']]);
});

test('shortcuts and other keys reach the page, and a held Enter key types nothing', () => {
  holdTyping();
  press(
    { key: 'k', ctrlKey: true },
    { key: 'a', altKey: true },
    'Escape',
    'Tab',
    { key: 'Enter', repeat: true },
    'a',
  );
  expect(takeHeldTyping()).toBe('a');
  expect(onPageKey.mock.calls).toEqual([['k'], ['a'], ['Escape'], ['Tab']]);
});

test('Ctrl+A selects the text of the field, which the text after it replaces', () => {
  document.body.innerHTML = '<input value="New name.txt">';
  const field = document.querySelector('input') as HTMLInputElement;
  const typeHeld = (...keys: (string | KeyboardEventInit)[]): void => {
    field.setSelectionRange(0, 8);
    holdTyping();
    press(...keys);
    typeInto(field, takeHeldTyping());
  };
  typeHeld('x', { key: 'a', ctrlKey: true }, 'y', 'Backspace', 'z');
  expect(field.value).toBe('z');
  field.value = 'New name.txt';
  typeHeld({ key: 'a', metaKey: true });
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['New name.txt', 0, 12]);
  expect(onPageKey).not.toHaveBeenCalled();
});

test('a release discards the text only if no later holder has taken over', () => {
  const releaseFirst = holdTyping();
  press('a');
  const releaseSecond = holdTyping();
  press('b');
  releaseFirst();
  press('c');
  expect(takeHeldTyping()).toBe('abc');

  holdTyping();
  press('d');
  releaseSecond();
  expect(takeHeldTyping()).toBe('d');

  const release = holdTyping();
  press('e');
  release();
  expect(takeHeldTyping()).toBe('');
});

test('text replaces the selection of a field, and Enter submits its form unless the field handles it', async () => {
  document.body.innerHTML = '<form><input value="New name.txt"></form>';
  const form = document.querySelector('form') as HTMLFormElement;
  const field = document.querySelector('input') as HTMLInputElement;
  const submitted = vi.fn<(value: string) => void>();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submitted(field.value);
  });
  field.setSelectionRange(0, 8);
  typeInto(field, 'Rome\n');
  expect(field.value).toBe('Rome.txt');
  await vi.waitFor(() => expect(submitted.mock.calls).toEqual([['Rome.txt']]));

  const onKey = vi.fn<(event: KeyboardEvent) => void>((event) => event.preventDefault());
  field.addEventListener('keydown', onKey);
  typeInto(field, '\n');
  await vi.waitFor(() => expect(onKey).toHaveBeenCalledTimes(1));
  expect(submitted).toHaveBeenCalledTimes(1);
});
