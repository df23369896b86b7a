import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../api/call.ts';
import { currentToasts } from '../../ui/feedback/toast.ts';
import { PasswordCard } from './password-card.tsx';
import type { SaveProfile } from './save-profile.ts';

const user = userEvent.setup();
const field = (label: string) => screen.getByLabelText(label);

function show() {
  const save = vi.fn<SaveProfile>(async () => undefined);
  render(<PasswordCard username="maria" save={save} onDirtyChange={() => undefined} />);
  return save;
}
async function type(password: string, confirmation: string) {
  await user.type(field('Your new password'), password);
  await user.type(field('Confirm your new password'), confirmation);
}
const update = () => user.click(screen.getByRole('button', { name: 'Update' }));

test('sends nothing unless both passwords are filled in and equal', async () => {
  const save = show();
  await update();
  expect(screen.getByText('Type a new password.')).toBeTruthy();
  await type('four trams', 'four trains');
  expect(screen.getByText("Passwords don't match")).toBeTruthy();
  await update();
  expect(save).not.toHaveBeenCalled();
  await user.clear(field('Confirm your new password'));
  await user.type(field('Confirm your new password'), 'four trams');
  expect(screen.getByText('The passwords match.')).toBeTruthy();
  await update();
  expect(save).toHaveBeenCalledWith({ password: 'four trams' }, undefined);
  await waitFor(() => expect(currentToasts().map(({ message }) => message)).toContain('Password updated!'));
});

test('asks for the current password if the server requires it', async () => {
  const save = show();
  save.mockRejectedValueOnce(new ApiError(400, 'current_password_wrong'));
  await type('four trams', 'four trams');
  await update();
  const current = field('Your current password');
  expect(document.activeElement).toBe(current);
  await user.type(current, 'three trams{Enter}');
  expect(save).toHaveBeenLastCalledWith({ password: 'four trams' }, 'three trams');
  expect(screen.queryByLabelText('Your current password')).toBeNull();
});

test.each([
  ['the password is too short, minimum length is 12', 'Use at least 12 characters.'],
  ['the password is too easy to guess', 'This password is too easy to guess. Choose another one.'],
])('rejects %s', async (detail, text) => {
  const save = show();
  save.mockRejectedValueOnce(new ApiError(400, 'weak_password', { detail }));
  await type('password1', 'password1');
  await update();
  expect(screen.getByText(text)).toBeTruthy();
  expect(document.activeElement).toBe(field('Your new password'));
});
