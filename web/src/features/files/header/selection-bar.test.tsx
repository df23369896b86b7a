import { render, screen } from '@testing-library/react';
import { allPermissions } from '@filestead/contract/values/permissions';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ActionContext } from '../actions/action.ts';
import { fileActions, type FolderCommands } from '../actions/actions.ts';
import { SelectionBar } from './selection-bar.tsx';

const createContext = (count: number): ActionContext => ({
  can: { ...allPermissions, admin: false, execute: false },
  count,
  sample: [],
  hasEntries: true,
  clipboard: null,
  viewMode: 'list',
  isSelecting: false,
  areDetailsOpen: false,
  isFolder: true,
  hasViews: true,
  isTop: false,
  hasCommands: false,
  hasSizes: false,
  hasTrash: true,
  isShellOpen: false,
});
const commands = Object.fromEntries(
  fileActions.map(({ id }) => [id, vi.fn<() => void>()]),
) as unknown as FolderCommands;

test('offers other formats beside Download, and all actions in a menu before Delete', async () => {
  render(<SelectionBar context={createContext(2)} bytes={0} commands={commands} />);
  const names = screen
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.title);
  expect(names).toEqual([
    'Clear selection',
    'Download',
    'Download as…',
    'Move to…',
    'Copy to…',
    'Favorite',
    'Tags…',
    'More actions',
    'Delete',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Download as…' }));
  expect(commands.downloadAs).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Compress/u }));
  expect(commands.compress).toHaveBeenCalledTimes(1);
});

test('shows the number of selected entries on the Download action', async () => {
  const { rerender } = render(<SelectionBar context={createContext(7)} bytes={70} commands={commands} />);
  const download = screen.getByRole('button', { name: 'Download' });
  expect(download.textContent).toBe('Download7');
  expect(screen.getByRole('button', { name: 'Delete' }).textContent).toBe('Delete');
  await userEvent.click(download);
  expect(commands.download).toHaveBeenCalledTimes(1);
  rerender(<SelectionBar context={createContext(1234)} bytes={0} commands={commands} />);
  expect(download.textContent).toBe('Download1,234');
  rerender(<SelectionBar context={createContext(0)} bytes={0} commands={commands} />);
  expect(screen.queryByRole('toolbar')).toBeNull();
});
