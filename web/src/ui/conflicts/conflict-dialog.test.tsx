import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { formatDate, formatDateExact } from '../../i18n/format.ts';
import { ConflictDialog, type ConflictDialogProps } from './conflict-dialog.tsx';

type Props = ConflictDialogProps<'both' | 'new' | 'neither'>;
const atMs = Date.UTC(2025, 2, 2, 14, 2, 31);

const propsOf = (change: Partial<Props> = {}): Props => ({
  title: 'The place is taken',
  isOpen: true,
  text: 'Only one can have it.',
  sides: [
    { heading: 'Seated', picture: <i data-testid="seated" />, lines: ['In a coat'] },
    { heading: 'Standing', badge: 'Taller', picture: <i />, lines: ['In a hat', { atMs }] },
  ],
  choices: [
    { id: 'both', label: 'Share', variant: 'primary' },
    { id: 'new', label: 'Swap', variant: 'danger', hint: 'The seated one gets up' },
    { id: 'neither', label: 'Leave', variant: 'secondary' },
  ],
  remaining: { count: 2, label: 'The same for 2 more' },
  onChoose: vi.fn<Props['onChoose']>(),
  onClose: vi.fn<Props['onClose']>(),
  ...change,
});

async function open(change: Partial<Props> = {}) {
  const props = propsOf(change);
  const { rerender } = render(<ConflictDialog {...props} />);
  const dialog = await screen.findByRole('dialog', { name: props.title });
  return {
    ...props,
    dialog,
    button: (name: string) => within(dialog).getByRole('button', { name }),
    ask: (next: Partial<Props>) => rerender(<ConflictDialog {...props} {...next} />),
  };
}

test('shows both sides with their metadata', async () => {
  const { dialog } = await open();
  expect(dialog.textContent).toMatch(/SeatedIn a coatStandingIn a hat.*Taller.*Only one can have it\./u);
  expect(within(dialog).getByTestId('seated')).toBeDefined();
  const date = within(dialog).getByText(formatDate(atMs));
  expect(date.getAttribute('dateTime')).toBe('2025-03-02T14:02:31.000Z');
  expect(date.title).toBe(formatDateExact(atMs));
});

test('puts the suggested choice last with the focus, the others before it with the least likely first', async () => {
  const { dialog, button, onChoose } = await open();
  const names = within(dialog)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(names).toEqual(['', 'Leave', 'Swap', 'Share']);
  expect(document.activeElement).toBe(button('Share'));
  expect(['Leave', 'Swap', 'Share'].map((name) => button(name).dataset['variant'])).toEqual([
    'secondary',
    'danger',
    'primary',
  ]);
  await userEvent.keyboard('{Enter}');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('both', false);
});

test('applies a choice to all if the box is checked, and shows the next conflict with the box unchecked', async () => {
  const { dialog, button, ask, onChoose } = await open();
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'The same for 2 more' }));
  await userEvent.click(button('Swap'));
  expect(onChoose).toHaveBeenLastCalledWith('new', true);
  ask({ text: 'And another.', remaining: { count: 1, label: 'The same for 1 more' } });
  expect(
    within(dialog)
      .getByText(/And another\./u)
      .getAttribute('aria-live'),
  ).toBe('polite');
  expect(within(dialog).getByRole('checkbox', { name: 'The same for 1 more', checked: false })).toBeDefined();
  await userEvent.click(button('Leave'));
  expect(onChoose).toHaveBeenLastCalledWith('neither', false);
});

test('chooses the suggested choice by Enter from the checkbox too', async () => {
  const { dialog, onChoose } = await open();
  within(dialog).getByRole('checkbox').focus();
  await userEvent.keyboard(' {Enter}');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('both', true);
});

test('keeps the focus on the main button if the next conflict suggests another choice', async () => {
  const { button, ask } = await open();
  await userEvent.click(button('Share'));
  ask({ choices: [{ id: 'new', label: 'Swap all', variant: 'primary' }] });
  expect(document.activeElement).toBe(button('Swap all'));
});

test('hides the box if no conflict remains, and ignores an earlier check', async () => {
  const { dialog, button, ask, onChoose } = await open();
  await userEvent.click(within(dialog).getByRole('checkbox'));
  ask({ remaining: { count: 0, label: '' } });
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
  await userEvent.click(button('Share'));
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('both', false);
});

test.each(['Escape', 'Close'])('closes without a choice by %s and unchecks the box', async (action) => {
  const { dialog, button, onChoose, onClose } = await open();
  const box = within(dialog).getByRole('checkbox');
  await userEvent.click(box);
  await (action === 'Escape' ? userEvent.keyboard('{Escape}') : userEvent.click(button('Close')));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(onChoose).not.toHaveBeenCalled();
  expect(within(dialog).getByRole('checkbox', { checked: false })).toBe(box);
});

test('describes a choice by its hint', async () => {
  const { button } = await open();
  await userEvent.hover(button('Swap'));
  const hint = await screen.findByRole('tooltip');
  expect(hint.textContent).toBe('The seated one gets up');
  expect(button('Swap').getAttribute('aria-describedby')).toBe(hint.id);
});
