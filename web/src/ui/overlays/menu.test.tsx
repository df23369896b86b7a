import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Button } from '../buttons/button.tsx';
import { ContextMenu } from './context-menu.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTrigger } from './menu.tsx';

function NewMenu({ onAction, onKeyBehind }: { onAction: (name: string) => void; onKeyBehind?: () => void }) {
  return (
    <div role="presentation" onKeyDown={onKeyBehind}>
      <MenuTrigger>
        <Button>New</Button>
        <Menu>
          <MenuItem shortcut="Shift+N" onAction={() => onAction('folder')}>
            Folder
          </MenuItem>
          <MenuSeparator />
          <MenuItem onAction={() => onAction('file')}>File</MenuItem>
          <MenuItem isDisabled onAction={() => onAction('never')}>
            Link
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </div>
  );
}

const trigger = () => screen.getByRole('button', { name: 'New' });

describe('a menu button', () => {
  test('opens its menu by pointer, runs an item, closes and returns the focus', async () => {
    const onAction = vi.fn<(name: string) => void>();
    render(<NewMenu onAction={onAction} />);
    expect(trigger().getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(trigger());
    const menu = await screen.findByRole('menu', { name: 'New' });
    expect(menu.contains(document.activeElement)).toBe(true);
    await userEvent.click(screen.getByRole('menuitem', { name: /^File/u }));
    expect(onAction.mock.calls).toEqual([['file']]);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(trigger()));
  });

  test('opens its menu by keyboard on the first or the last item, and supports arrows, letters and Enter', async () => {
    const onAction = vi.fn<(name: string) => void>();
    const onKeyBehind = vi.fn<() => void>();
    render(<NewMenu onAction={onAction} onKeyBehind={onKeyBehind} />);
    trigger().focus();
    await userEvent.keyboard('{ArrowDown}');
    await screen.findByRole('menu');
    const item = (name: RegExp) => screen.getByRole('menuitem', { name });
    await waitFor(() => expect(document.activeElement).toBe(item(/^Folder/u)));
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(item(/^File/u));
    // A disabled item is skipped, and the focus wraps at the end.
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(item(/^Folder/u));
    await userEvent.keyboard('fi');
    expect(document.activeElement).toBe(item(/^File/u));
    await userEvent.keyboard('{Enter}');
    expect(onAction.mock.calls).toEqual([['file']]);
    expect(onKeyBehind).not.toHaveBeenCalled();
  });

  test('has the focus on the first item after Enter and Space on its button', async () => {
    const onAction = vi.fn<(name: string) => void>();
    render(<NewMenu onAction={onAction} />);
    for (const key of ['{Enter}', ' ']) {
      trigger().focus();
      await userEvent.keyboard(key);
      await screen.findByRole('menu');
      await waitFor(() =>
        expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: /^Folder/u })),
      );
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    }
    expect(onAction.mock.calls).toEqual([['folder'], ['folder']]);
  });

  test('closes its menu by Escape without running an item', async () => {
    const onAction = vi.fn<(name: string) => void>();
    render(<NewMenu onAction={onAction} />);
    await userEvent.click(trigger());
    await screen.findByRole('menu');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(onAction).not.toHaveBeenCalled();
    await waitFor(() => expect(document.activeElement).toBe(trigger()));
  });
});

test('marks the selected choice in a menu, which stays open', async () => {
  function Sort() {
    const [by, setBy] = useState<'name' | 'size'>('name');
    return (
      <MenuTrigger>
        <Button>Sort</Button>
        <Menu>
          <MenuChoice
            label="Sort by"
            value={by}
            onChange={setBy}
            options={[
              { value: 'name', label: 'Name' },
              { value: 'size', label: 'Size' },
            ]}
          />
        </Menu>
      </MenuTrigger>
    );
  }
  render(<Sort />);
  await userEvent.click(screen.getByRole('button', { name: 'Sort' }));
  await screen.findByRole('menu');
  const checked = () => screen.getByRole('menuitemradio', { checked: true }).textContent;
  expect(checked()).toBe('Name');
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Size' }));
  expect(checked()).toBe('Size');
});

test('opens a context menu at a point and closes it by Escape', async () => {
  function Area() {
    const [at, setAt] = useState<{ x: number; y: number } | null>(null);
    return (
      <>
        <button type="button" onContextMenu={(event) => setAt({ x: event.clientX, y: event.clientY })}>
          Row
        </button>
        <ContextMenu label="Actions" at={at} onClose={() => setAt(null)}>
          <MenuItem onAction={() => undefined}>Copy</MenuItem>
        </ContextMenu>
      </>
    );
  }
  render(<Area />);
  screen.getByRole('button', { name: 'Row' }).focus();
  fireEvent.contextMenu(screen.getByRole('button', { name: 'Row' }), { clientX: 10, clientY: 20 });
  expect(await screen.findByRole('menu', { name: 'Actions' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' })));
});
