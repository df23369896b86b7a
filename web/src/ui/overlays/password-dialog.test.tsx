import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { PasswordDialog } from './password-dialog.tsx';

const texts = {
  title: 'Confirm the change',
  label: 'Your password',
  submitLabel: 'Confirm',
  wrongPassword: 'This is not your password.',
};

test('sends a password once, and clears it, so that a wrong one is typed anew', async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn<(password: string) => void>();
  const dialog = (isWrong: boolean) => (
    <PasswordDialog
      {...texts}
      isOpen
      isWrong={isWrong}
      isPending={false}
      onConfirm={onConfirm}
      onClose={() => undefined}
    />
  );
  const { rerender } = render(dialog(false));
  const field = await screen.findByLabelText<HTMLInputElement>('Your password');
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(onConfirm).not.toHaveBeenCalled();
  await user.type(field, 'secret{Enter}');
  expect(onConfirm.mock.calls).toEqual([['secret']]);
  rerender(dialog(true));
  expect(field.value).toBe('');
  expect(screen.getByText('This is not your password.')).toBeTruthy();
  await user.type(field, 's');
  expect(screen.queryByText('This is not your password.')).toBeNull();
});
