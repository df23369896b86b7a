import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Button } from '../buttons/button.tsx';
import { Select } from '../fields/select.tsx';
import { ContextMenu } from './context-menu.tsx';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem, MenuTrigger } from './menu.tsx';

/** Ends the animations that have started so far. */
let endAnimations: (() => void)[] = [];

beforeEach(() => {
  endAnimations = [];
  vi.stubGlobal('CSSTransition', Event);
  // jsdom has no animations; without them an overlay is gone as soon as it closes.
  HTMLElement.prototype.getAnimations = function (this: HTMLElement) {
    if (this.dataset['exiting'] === undefined) return [];
    const finished = new Promise<void>((resolve) => endAnimations.push(resolve));
    return [{ playState: 'running', finished } as unknown as Animation];
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(HTMLElement.prototype, 'getAnimations');
});

function DialogByButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <Dialog title="Dialog" isOpen={isOpen} onClose={() => setOpen(false)}>
        <button>Inside</button>
      </Dialog>
    </>
  );
}

function MenuByButton() {
  return (
    <MenuTrigger>
      <Button>Open</Button>
      <Menu>
        <MenuItem onAction={() => undefined}>Item</MenuItem>
      </Menu>
    </MenuTrigger>
  );
}

function MenuAtPoint() {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  return (
    <>
      <button onClick={() => setAt({ x: 3, y: 4 })}>Open</button>
      <ContextMenu label="Menu" at={at} onClose={() => setAt(null)}>
        <MenuItem onAction={() => undefined}>Item</MenuItem>
      </ContextMenu>
    </>
  );
}

function Choice() {
  return (
    <Select label="Open" value={null} onChange={() => undefined} options={[{ value: 'a', label: 'A' }]} />
  );
}

test.each([
  ['dialog', DialogByButton, 'dialog'],
  ['menu', MenuByButton, 'menu'],
  ['context menu', MenuAtPoint, 'menu'],
  ['list of a select', Choice, 'listbox'],
] as const)(
  'a %s that is opened again while it fades out stays and has the focus',
  async (_name, Overlay, role) => {
    render(<Overlay />);
    const button = screen.getByRole('button', { name: /Open/u });
    await userEvent.click(button);
    const first = await screen.findByRole(role);
    await waitFor(() => expect(first.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(endAnimations.length).toBeGreaterThan(0));
    expect(first.isConnected).toBe(true);
    // The button is no longer covered.
    act(() => button.focus());
    fireEvent.click(button, { detail: 0 });
    await waitFor(() => expect(screen.getByRole(role).contains(document.activeElement)).toBe(true));
    await act(async () => {
      for (const end of endAnimations) end();
      await Promise.resolve();
    });
    await waitFor(() => expect(screen.getByRole(role).contains(document.activeElement)).toBe(true));
  },
);
