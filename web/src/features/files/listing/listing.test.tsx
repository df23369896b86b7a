import { entryTypes, type ListingRow } from '@filestead/contract/files';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Listing } from './listing.tsx';
import type { ListingHandle } from './listing-options.ts';
import { ListingModel } from './model/listing-model.ts';

const rows: ListingRow[] = [
  ['Photos', 4096, Date.UTC(2020, 1, 2), entryTypes.indexOf('')],
  ['a picture with a very long name indeed.jpg', 2048, Date.UTC(2020, 1, 3), entryTypes.indexOf('image')],
  ['broken', 0, 0, entryTypes.indexOf('invalid_link'), 1],
  ['notes.txt', 10, Date.UTC(2020, 1, 4), entryTypes.indexOf('text')],
];

function loaded(entries: readonly ListingRow[] = rows): ListingModel {
  const model = new ListingModel();
  model.open({
    path: '/',
    name: '',
    modified: '2026-11-20T10:00:00Z',
    numDirs: 1,
    numFiles: entries.length - 1,
    sorting: { by: 'name', asc: false },
    types: entryTypes,
  });
  model.append(entries);
  model.end();
  return model;
}

function show(change: Partial<ComponentProps<typeof Listing>> = {}) {
  const model = change.model ?? loaded();
  const calls = {
    onSort: vi.fn(),
    onOpen: vi.fn(),
    onContextMenu: vi.fn(),
    onRename: vi.fn(),
  };
  const all = {
    model,
    view: 'list',
    sorting: { by: 'name', asc: false },
    isExactDate: false,
    singleClick: false,
    can: { rename: true, create: true },
    folderName: 'Lisbon',
    emptyState: <p>It feels lonely here...</p>,
    ...calls,
    ...change,
  } as const;
  const result = render(<Listing {...all} />);
  return {
    model,
    ...calls,
    rerender: (more: typeof change) => result.rerender(<Listing {...all} {...more} />),
  };
}

/** Gives `event` a timestamp, in ms. */
function withTimestamp<E extends Event>(atMs: number, event: E): E {
  Object.defineProperty(event, 'timeStamp', { value: atMs });
  return event;
}

const keyDownAt = (atMs: number, key: string): KeyboardEvent =>
  withTimestamp(atMs, new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

const row = (name: string): HTMLElement => screen.getByRole('row', { name: new RegExp(`^${name}`) });

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the list', () => {
  test('names rows by their file, in sections, and counts all of them', () => {
    show();
    expect(screen.getByRole('grid', { name: 'Contents of Lisbon' }).getAttribute('aria-rowcount')).toBe('5');
    const files = screen.getByRole('rowgroup', { name: 'Files' });
    expect(within(files).getAllByRole('row')).toHaveLength(3);
    expect(row('a picture with a very long name indeed.jpg JPEG image 2.KB')).toBeTruthy();
    expect(row('broken Invalid link Invalid link')).toBeTruthy();
    expect(row('Photos Folder 2 Feb 2020')).toBeTruthy();
  });

  test('sorts by a column header at once and reports the order as sent to the server', () => {
    const { model, onSort } = show();
    fireEvent.click(screen.getByRole('button', { name: 'Size' }));
    expect(onSort).toHaveBeenLastCalledWith({ by: 'size', asc: false });
    expect(model.name(model.idAt(1) ?? -1)).toMatch(/^a picture/);
    fireEvent.click(screen.getByRole('button', { name: 'Size' }));
    expect(onSort).toHaveBeenLastCalledWith({ by: 'size', asc: true });
    expect(screen.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('ascending');
  });

  test('makes exactly one entry a tab stop, before and after a selection', () => {
    show();
    const tabStops = () => screen.getAllByRole('row').filter(({ tabIndex }) => tabIndex === 0);
    expect(tabStops()).toEqual([row('Photos')]);
    fireEvent.click(row('notes'));
    expect(tabStops()).toEqual([row('notes')]);
  });

  test('leaves other keys to outer listeners', () => {
    const { onOpen } = show();
    const onOuterKeyDown = vi.fn();
    document.addEventListener('keydown', onOuterKeyDown);
    fireEvent.click(row('notes'));
    for (const key of ['F2', 'Delete']) {
      expect(fireEvent.keyDown(row('notes'), { key })).toBe(true);
    }
    expect(fireEvent.keyDown(row('notes'), { key: 'Enter' })).toBe(false);
    document.removeEventListener('keydown', onOuterKeyDown);
    expect(onOuterKeyDown).toHaveBeenCalledTimes(3);
    expect(onOpen).toHaveBeenCalledTimes(1);
  });
});

test('leaves ? to the help, except within typed names', () => {
  const withQuestionMark: ListingRow = ['a?b.txt', 10, 0, entryTypes.indexOf('text')];
  const { model } = show({ model: loaded(rows.toSpliced(2, 0, withQuestionMark)) });
  fireEvent.click(row('notes'));
  expect(fireEvent(row('notes'), keyDownAt(1_000, '?'))).toBe(true);
  expect(model.cursor).toBe(model.find('notes.txt'));
  fireEvent(row('notes'), keyDownAt(2_000, 'a'));
  expect(fireEvent(row('notes'), keyDownAt(2_799, '?'))).toBe(false);
  expect(model.cursor).toBe(model.find('a?b.txt'));
  expect(fireEvent(row('a.b'), keyDownAt(3_599, '?'))).toBe(true);
});

describe('the focus', () => {
  const handle: { current: ListingHandle | null } = { current: null };

  test('moves the focus to the entry in the same position when its entry is removed, or back from the last one', () => {
    const { model } = show();
    act(() => row('broken').focus());
    act(() => model.remove([model.find('broken') ?? -1]));
    expect(document.activeElement).toBe(row('notes'));
    act(() => model.remove([model.find('notes.txt') ?? -1]));
    expect(document.activeElement).toBe(row('a picture'));
  });

  test('keeps the focus on an entry that is renamed', () => {
    const { model } = show();
    act(() => row('broken').focus());
    act(() => model.rename(model.find('broken') ?? -1, 'zebra'));
    expect(document.activeElement).toBe(row('zebra'));
  });

  test('moves the focus to the empty state of an emptied folder, also during a reload', () => {
    const { model } = show({ handleRef: (listing) => void (handle.current = listing) });
    act(() => model.remove(['Photos', 'broken', 'notes.txt'].map((name) => model.find(name) ?? -1)));
    act(() => model.remove([model.find(String(rows[1]?.[0])) ?? -1]));
    act(() => handle.current?.focus());
    expect(document.activeElement?.textContent).toBe('It feels lonely here...');
    act(() => {
      if (model.header) model.open(model.header);
    });
    expect(document.activeElement?.textContent).toBe('It feels lonely here...');
  });
});

describe('renaming in place', () => {
  function rename(change: Partial<ComponentProps<typeof Listing>> = {}) {
    const handle = { current: null as { startRename: (id: number) => void } | null };
    const parts = show({ handleRef: (listing) => void (handle.current = listing), ...change });
    act(() => handle.current?.startRename(parts.model.find('notes.txt') ?? -1));
    return { ...parts, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'New name' }) };
  }

  test('selects the name without its extension and sends what was typed on Enter', () => {
    const { field, onRename, model } = rename();
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 5]);
    fireEvent.change(field, { target: { value: ' ideas.txt ' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(onRename).toHaveBeenCalledExactlyOnceWith(model.find('notes.txt'), 'ideas.txt');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('sends the name when the field loses the focus, but not after Escape or without a change', () => {
    const first = rename();
    fireEvent.change(first.field, { target: { value: 'other' } });
    fireEvent.blur(first.field);
    expect(first.onRename).toHaveBeenCalledTimes(1);
    cleanup();
    const second = rename();
    fireEvent.change(second.field, { target: { value: 'other' } });
    fireEvent.keyDown(second.field, { key: 'Escape' });
    expect(second.onRename).not.toHaveBeenCalled();
    cleanup();
    const third = rename();
    fireEvent.keyDown(third.field, { key: 'Enter' });
    expect(third.onRename).not.toHaveBeenCalled();
  });

  test('has the text that was typed while a menu was still open', async () => {
    const menu = document.body.appendChild(document.createElement('div'));
    menu.setAttribute('role', 'menu');
    // The page below an open menu is inert.
    const focus = vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(() => undefined);
    const { field, onRename, model } = rename();
    for (const key of ['n', 'o', 'y', 'Backspace', 'Shift', 'w']) fireEvent.keyDown(document.body, { key });
    expect(fireEvent.keyDown(document.body, { key: 'c', ctrlKey: true })).toBe(true);
    focus.mockRestore();
    menu.remove();
    await waitFor(() => expect(field.value).toBe('now.txt'));
    expect(document.activeElement).toBe(field);
    expect(field.selectionStart).toBe(3);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(onRename).toHaveBeenCalledExactlyOnceWith(model.find('notes.txt'), 'now.txt');
  });

  test('shows the problem with an invalid name and keeps the field open', () => {
    const { field, onRename } = rename({ checkName: () => 'That name is taken.' });
    fireEvent.change(field, { target: { value: 'Photos' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(screen.getByRole('alert').textContent).toBe('That name is taken.');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(onRename).not.toHaveBeenCalled();
  });
});

test('makes names links, and opens entries in a new tab with the middle button and Ctrl+Enter only', () => {
  const openTab = vi.spyOn(window, 'open').mockReturnValue(null);
  const { model } = show({ addressOf: (id) => `/files/${id}` });
  const id = model.find('notes.txt') ?? -1;
  const name = row('notes').querySelector('a') as HTMLAnchorElement;
  fireEvent.pointerOver(name);
  expect(name.getAttribute('href')).toBe(`/files/${id}`);
  // The browser itself follows the link with the middle button, but not with a click, which selects.
  expect(fireEvent(name, new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }))).toBe(
    true,
  );
  expect(fireEvent.click(name)).toBe(false);
  expect(fireEvent.click(name, { ctrlKey: true })).toBe(false);
  expect(openTab).not.toHaveBeenCalled();
  fireEvent(row('notes'), new MouseEvent('auxclick', { button: 2, bubbles: true }));
  expect(openTab).not.toHaveBeenCalled();
  fireEvent(row('notes'), new MouseEvent('auxclick', { button: 1, bubbles: true }));
  fireEvent.click(row('notes'));
  fireEvent.keyDown(row('notes'), { key: 'Enter', ctrlKey: true });
  expect(openTab.mock.calls.map(([address]) => address)).toEqual([`/files/${id}`, `/files/${id}`]);
  openTab.mockRestore();
});

test('shows the empty state only once the folder is known to be empty', () => {
  const model = new ListingModel();
  show({ model });
  expect(screen.queryByText('It feels lonely here...')).toBeNull();
  act(() => {
    model.open({
      path: '/',
      name: '',
      modified: '2026-11-20T10:00:00Z',
      numDirs: 0,
      numFiles: 0,
      sorting: { by: 'name', asc: false },
      types: entryTypes,
    });
    model.end();
  });
  expect(screen.getByText('It feels lonely here...')).toBeTruthy();
});

test('shows placeholders only after 200 ms without data', () => {
  vi.useFakeTimers();
  show({ model: new ListingModel() });
  const placeholders = () => document.querySelector('.skeleton');
  act(() => vi.advanceTimersByTime(150));
  expect(placeholders()).toBeNull();
  act(() => vi.advanceTimersByTime(100));
  expect(placeholders()).not.toBeNull();
});

describe('thumbnails', () => {
  const image = (): HTMLImageElement | null => document.querySelector('img');

  test('requests thumbnails for pictures only, and shows the icon when one fails', () => {
    const thumbnailUrl = vi.fn((name: string) => `/thumbnail/${name}`);
    show({ view: 'mosaic', thumbnailUrl });
    expect(new Set(thumbnailUrl.mock.calls.map(([name]) => name))).toEqual(new Set([rows[1]?.[0]]));
    const shown = image();
    if (shown === null) throw new Error('no thumbnail');
    fireEvent.error(shown);
    expect(image()).toBeNull();
  });

  test('cancels thumbnails that leave the page', () => {
    show({ view: 'mosaic', thumbnailUrl: (name) => `/other/${name}` });
    const shown = image();
    expect(shown?.hasAttribute('src')).toBe(true);
    cleanup();
    expect(shown?.hasAttribute('src')).toBe(false);
  });
});

test('shows the cover of a folder among tiles, with its name below', () => {
  const folderCover = vi.fn(() => <i>cover</i>);
  show({ view: 'mosaic', folderCover });
  const folder = screen.getByText('cover').closest('[role=option]');
  expect(folder?.textContent).toContain('Photos');
  expect(screen.getAllByText('cover')).toHaveLength(1);
});

describe('previews', () => {
  const press = (name: string, modifiers: Partial<KeyboardEvent> = {}) => {
    const target = row(name);
    act(() => target.focus());
    fireEvent.keyDown(target, { key: ' ', ...modifiers });
  };
  const selected = (): string[] =>
    screen
      .getAllByRole('row', { selected: true })
      .map((each) => each.querySelector('[data-part=name]')?.textContent ?? '');

  test('previews an entry with Space, and selects one without a preview', () => {
    const onPreview = vi.fn((id: number) => model.name(id).endsWith('.jpg'));
    const { model } = show({ onPreview });
    press('a picture');
    expect(onPreview).toHaveBeenCalledOnce();
    expect(model.selectedCount).toBe(0);
    press('notes.txt');
    expect(selected()).toEqual(['notes.txt']);
  });

  test('selects with Space while several entries are selected, and always with Ctrl+Space', () => {
    const onPreview = vi.fn(() => true);
    const { model } = show({ onPreview });
    press('notes.txt', { ctrlKey: true });
    press('a picture', { ctrlKey: true });
    expect(model.selectedCount).toBe(2);
    press('Photos');
    expect(model.selectedCount).toBe(3);
    act(() => {
      model.clearSelection();
      model.setSelecting(true);
    });
    press('Photos');
    expect(model.selectedCount).toBe(1);
    expect(onPreview).not.toHaveBeenCalled();
  });
});

test('renders rows with the chosen height', () => {
  const height = (): string =>
    screen.getByRole('grid').closest<HTMLElement>('[data-view]')?.style.getPropertyValue('--item-height') ??
    '';
  const { rerender } = show({ rowHeightPx: 32 });
  expect(height()).toBe('32px');
  rerender({ rowHeightPx: 48 });
  expect(height()).toBe('48px');
});

test('reloads the folder when it is pulled down from its top', async () => {
  const onRefresh = vi.fn(async () => undefined);
  show({ onRefresh });
  // The code of the gesture is fetched after the listing.
  await vi.dynamicImportSettled();
  const scroller = screen.getByRole('grid').parentElement;
  if (!scroller) throw new Error('no scroller');
  const touch = (clientY: number) => ({ clientX: 10, clientY, identifier: 1, target: scroller });
  const pull = (toY: number) => {
    fireEvent.touchStart(scroller, { touches: [touch(10)], changedTouches: [touch(10)] });
    fireEvent.touchMove(scroller, { touches: [touch(toY)], changedTouches: [touch(toY)] });
    fireEvent.touchEnd(scroller, { touches: [], changedTouches: [touch(toY)] });
  };
  pull(60);
  expect(onRefresh).not.toHaveBeenCalled();
  pull(200);
  await waitFor(() => expect(onRefresh).toHaveBeenCalledOnce());
});

test('starts multi-select by a long press, even if the page is too busy for its timer', () => {
  vi.useFakeTimers();
  const { model } = show();
  const finger = (type: string, atMs: number, clientX = 10) =>
    act(() => {
      const init = { bubbles: true, pointerType: 'touch', isPrimary: true, clientX };
      row('notes').dispatchEvent(withTimestamp(atMs, new PointerEvent(type, init)));
    });
  finger('pointerdown', 1_000);
  finger('pointerup', 1_499);
  expect(model.isSelecting).toBe(false);
  finger('pointerdown', 2_000);
  finger('pointermove', 2_100, 30);
  finger('pointerup', 2_700, 30);
  expect(model.isSelecting).toBe(false);
  finger('pointerdown', 3_000);
  finger('pointerup', 3_500);
  expect([model.isSelecting, model.selectedCount]).toEqual([true, 1]);
});

test('shows the progress of uploads in the row', () => {
  const { model } = show();
  act(() => {
    model.setPending(
      { name: 'new.bin', isFolder: false, isSymlink: false, type: 'blob', size: 9, modifiedMs: 0 },
      0.4,
    );
  });
  expect(row('new.bin BIN file Uploading, 40%')).toBeTruthy();
});

test('announces the selection after a pause', async () => {
  const { model } = show();
  act(() => model.selectAll());
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('4 selected'));
});
