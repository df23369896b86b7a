import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ApiError } from '../../../api/call.ts';
import { useInstantDraft } from './use-instant-draft.ts';

interface Values {
  flag: boolean;
  name: string;
}
type Save = (change: Partial<Values>, password?: string) => Promise<void>;

const open = (save: Save) =>
  renderHook(({ stored }) => useInstantDraft<Values>(stored, save), {
    initialProps: { stored: { flag: false, name: 'old' } as Values },
  });

test('saves choices at once, one after the other', async () => {
  const events: string[] = [];
  let finish = () => {};
  const { result } = open(async (change) => {
    events.push(`begin ${Object.keys(change).join()}`);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    events.push(`end ${Object.keys(change).join()}`);
  });
  act(() => result.current.choose({ flag: true }));
  act(() => result.current.choose({ name: 'new' }));
  expect(result.current.value).toEqual({ flag: true, name: 'new' });
  await waitFor(() => expect(events).toEqual(['begin flag']));
  act(() => finish());
  await waitFor(() => expect(events).toEqual(['begin flag', 'end flag', 'begin name']));
  act(() => finish());
  await waitFor(() => expect(result.current.stateOf('name')).toEqual({ kind: 'saved' }));
});

test('saves a typed text when it is committed, unless it equals the stored one', async () => {
  const saved: Partial<Values>[] = [];
  const { result } = open(async (change) => void saved.push(change));
  act(() => result.current.type({ name: 'n' }));
  act(() => result.current.type({ name: 'old' }));
  act(() => result.current.commit('name'));
  act(() => result.current.type({ name: 'new' }));
  expect(result.current.isChanged).toBe(true);
  act(() => result.current.commit('name'));
  await waitFor(() => expect(result.current.stateOf('name')).toEqual({ kind: 'saved' }));
  expect(saved).toEqual([{ name: 'new' }]);
  expect(result.current.isChanged).toBe(false);
});

test('reverts a choice that could not be saved, and keeps a typed text', async () => {
  const { result } = open(async () => {
    throw new ApiError(0, 'no_connection');
  });
  act(() => result.current.choose({ flag: true }));
  await waitFor(() => expect(result.current.stateOf('flag')).toMatchObject({ kind: 'failed' }));
  expect(result.current.value.flag).toBe(false);
  act(() => result.current.type({ name: 'new' }));
  act(() => result.current.commit('name'));
  await waitFor(() => expect(result.current.stateOf('name')).toMatchObject({ kind: 'failed' }));
  expect(result.current.value.name).toBe('new');
});

test('asks for the password if the server requires it, and sends the change again with it', async () => {
  const sent: (string | undefined)[] = [];
  const { result } = open(async (_change, password) => {
    sent.push(password);
    if (password !== 'right') throw new ApiError(400, 'current_password_wrong');
  });
  act(() => result.current.choose({ flag: true }));
  await waitFor(() => expect(result.current.question).toMatchObject({ isOpen: true, isWrong: false }));
  act(() => result.current.question.onConfirm('wrong'));
  await waitFor(() => expect(result.current.question).toMatchObject({ isOpen: true, isWrong: true }));
  act(() => result.current.question.onConfirm('right'));
  await waitFor(() => expect(result.current.question.isOpen).toBe(false));
  expect(sent).toEqual([undefined, 'wrong', 'right']);
  expect(result.current.stateOf('flag')).toEqual({ kind: 'saved' });
});

test('reverts a choice when the password dialog is closed', async () => {
  const { result } = open(async () => {
    throw new ApiError(400, 'current_password_wrong');
  });
  act(() => result.current.choose({ flag: true }));
  await waitFor(() => expect(result.current.question.isOpen).toBe(true));
  expect(result.current.value.flag).toBe(true);
  act(() => result.current.question.onClose());
  expect(result.current.value.flag).toBe(false);
});
