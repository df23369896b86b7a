import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Button } from '../buttons/button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { holdTyping } from '../keyboard/hold-typing.ts';
import { TextField } from '../fields/text-field.tsx';

interface NameDialogProps {
  onSubmit?: (name: string) => void;
  onKeyBehind?: () => void;
  isDismissable?: boolean;
}

function NameDialog({ onSubmit, onKeyBehind, isDismissable = true }: NameDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  return (
    <div role="presentation" onKeyDown={onKeyBehind}>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog
        title="New folder"
        isOpen={isOpen}
        isDismissable={isDismissable}
        onClose={() => setOpen(false)}
        onSubmit={() => onSubmit?.(name)}
        footer={<Button type="submit">Create</Button>}
      >
        <TextField autoFocus label="Name" value={name} onChange={setName} />
      </Dialog>
    </div>
  );
}

async function open() {
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  return await screen.findByRole('dialog', { name: 'New folder' });
}

describe('a dialog', () => {
  test('contains the focus and returns it after closing', async () => {
    render(<NameDialog />);
    const behind = screen.getByRole('button', { name: 'Open' });
    const dialog = await open();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    for (let press = 0; press < 4; press++) {
      await userEvent.tab();
      expect(dialog.contains(document.activeElement)).toBe(true);
    }
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(behind));
  });

  test('hides the page behind it from assistive technology', async () => {
    render(<NameDialog />);
    await open();
    expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
  });

  test('submits by Enter in a field, and keeps keys from the page behind it', async () => {
    const onSubmit = vi.fn<(name: string) => void>();
    const onKeyBehind = vi.fn<() => void>();
    render(<NameDialog onSubmit={onSubmit} onKeyBehind={onKeyBehind} />);
    await open();
    await userEvent.keyboard('Lisbon{Enter}');
    expect(onSubmit.mock.calls).toEqual([['Lisbon']]);
    expect(onKeyBehind).not.toHaveBeenCalled();
  });

  test('puts text that was typed while it was fetched into its first field, and submits it by the Enter that followed', async () => {
    const onSubmit = vi.fn<(name: string) => void>();
    render(<NameDialog onSubmit={onSubmit} />);
    const opener = screen.getByRole('button', { name: 'Open' });
    opener.focus();
    holdTyping();
    await userEvent.keyboard('Lisbon');
    fireEvent.click(opener);
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'New folder' });
    await waitFor(() => expect(onSubmit.mock.calls).toEqual([['Lisbon']]));
  });

  test('submits by Enter while none of its controls has the focus', async () => {
    const onSubmit = vi.fn<(name: string) => void>();
    render(<NameDialog onSubmit={onSubmit} />);
    const dialog = await open();
    dialog.focus();
    await userEvent.keyboard('{Enter}');
    expect(onSubmit).toHaveBeenCalledTimes(1);
    screen.getByRole('button', { name: 'Close' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });

  test('stays open after Escape and has no ✕ while it works', async () => {
    render(<NameDialog isDismissable={false} />);
    await open();
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  });
});

describe('a confirmation', () => {
  test('has the focus on Cancel where data is destroyed permanently', async () => {
    const onConfirm = vi.fn<() => void>();
    const onClose = vi.fn<() => void>();
    render(
      <ConfirmDialog
        title="Delete 3 items for good?"
        isOpen
        onClose={onClose}
        onConfirm={onConfirm}
        confirmLabel="Delete 3 items for good"
      >
        They cannot be brought back.
      </ConfirmDialog>,
    );
    await screen.findByRole('alertdialog', { name: 'Delete 3 items for good?' });
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    await userEvent.keyboard('{Enter}');
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(onConfirm).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Delete 3 items for good' }));
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  test('has the focus on the confirming button where nothing is destroyed permanently', async () => {
    const onConfirm = vi.fn<() => void>();
    render(
      <ConfirmDialog
        title="Cancel all uploads?"
        isOpen
        onClose={vi.fn<() => void>()}
        onConfirm={onConfirm}
        confirmLabel="Cancel uploads"
        isPermanent={false}
      />,
    );
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel uploads'));
    await userEvent.keyboard('{Enter}');
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });
});
