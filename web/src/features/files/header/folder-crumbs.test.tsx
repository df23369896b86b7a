import { parsePath } from '@filestead/contract/paths/virtual-path';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from '../../../ui/navigation/router-testing.tsx';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FolderCrumbs } from './folder-crumbs.tsx';

const crumbPx = 100;
const availablePx = 800;

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(availablePx);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, crumbPx, 40));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const show = (numFolders: number) => {
  const names = Array.from({ length: numFolders }, (_, index) => `level ${index + 1}`);
  render(
    <MemoryRouter>
      <FolderCrumbs
        path={parsePath(`/${names.join('/')}`).path}
        addressOf={(folder) => folder}
        drop={{ can: { rename: true, create: true }, onDrop: () => undefined }}
        onOpen={() => undefined}
      />
    </MemoryRouter>,
  );
  return within(screen.getByRole('navigation', { name: 'Path' }));
};

test('shows all folders of a path that fits', () => {
  const path = show(6);
  expect(path.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'My files',
    'level 1',
    'level 2',
    'level 3',
    'level 4',
    'level 5',
  ]);
  expect(path.queryByRole('button')).toBeNull();
});

test('hides the folders in the middle of a path of 60 folders', () => {
  const path = show(60);
  expect(path.getByRole('heading', { level: 1 }).textContent).toBe('level 60');
  expect(path.getByRole('button', { name: 'Folders above' })).not.toBeNull();
  const links = path.getAllByRole('link').map((link) => link.textContent);
  expect(links).toEqual(['My files', 'level 54', 'level 55', 'level 56', 'level 57', 'level 58', 'level 59']);
});
