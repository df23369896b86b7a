import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { EditorView } from '@codemirror/view';
import userEvent from '@testing-library/user-event';
import { Routes, useNavigate } from '../../ui/navigation/router.tsx';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadSettings, parseSettings } from './editor-settings.ts';
import { Editor, type EditorProps } from './editor.tsx';
import { HistoryRouter } from '../../ui/navigation/history-router.tsx';
import { setSingleKeys } from '../../ui/keyboard/single-keys.ts';

/** A file on a stubbed server, which responds to GET and PUT of the resource. */
const remote = { content: '', copy: '', number: 1, requests: [] as string[] };
const tag = () => `"${remote.number}"`;

async function respond(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.method === 'POST') {
    if (String(url).endsWith('(1).txt')) return Response.json({ code: 'already_exists' }, { status: 409 });
    remote.copy = typeof init.body === 'string' ? init.body : '';
    return new Response('200 OK');
  }
  remote.requests.push(`${init.method} ${headers.get('If-Match') ?? '-'}`);
  if (init.method === 'PUT') {
    const expected = headers.get('If-Match');
    if (expected !== null && expected !== tag()) {
      return Response.json({ code: 'precondition_failed' }, { status: 412 });
    }
    remote.content = typeof init.body === 'string' ? init.body : '';
    remote.number += 1;
    return new Response('200 OK', { headers: { ETag: tag() } });
  }
  return Response.json(
    { content: remote.content, size: remote.content.length, type: 'text' },
    { headers: { ETag: tag() } },
  );
}

// jsdom has no layout, but CodeMirror measures its text.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

beforeEach(() => {
  remote.content = 'one\r\ntwo\r\n';
  remote.number = 1;
  remote.requests = [];
  vi.stubGlobal('fetch', respond);
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

function Page(change: Partial<EditorProps>) {
  const navigate = useNavigate();
  return (
    <Editor
      path={virtualPath('/notes.txt')}
      resource={{ name: 'notes.txt', type: 'text', size: 10, content: remote.content }}
      version={tag()}
      canModify
      onClose={() => void navigate('/closed')}
      {...change}
    />
  );
}

function open(change: Partial<EditorProps> = {}) {
  window.history.replaceState(null, '', '/');
  render(
    <HistoryRouter>
      <Routes paths={{ '/closed': <h1>closed</h1> }} otherwise={<Page {...change} />} />
    </HistoryRouter>,
  );
}

/** Inserts text at the beginning. */
function type(text: string): void {
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Text of notes.txt' }));
  act(() => view?.dispatch({ changes: { from: 0, insert: text } }));
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('keeps the line endings when saving, checks the version, and shows the time', async () => {
  open();
  expect(screen.getByText('CRLF')).toBeDefined();
  type('zero\n');
  expect(screen.getByRole('img', { name: 'Unsaved changes' })).toBeDefined();
  await press('Save');
  expect(await screen.findByText(/^Saved \d/)).toBeDefined();
  expect(remote.content).toBe('zero\r\none\r\ntwo\r\n');
  type('x');
  await userEvent.keyboard('{Control>}s{/Control}');
  await vi.waitFor(() => expect(remote.requests).toEqual(['PUT "1"', 'PUT "2"']));
});

test('does not overwrite a file that changed on the server without asking', async () => {
  open();
  remote.content = 'theirs';
  remote.number = 7;
  type('mine ');
  await press('Save');
  const dialog = await screen.findByRole('alertdialog', { name: 'Changed on the server' });
  expect(remote.content).toBe('theirs');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Overwrite' }));
  await vi.waitFor(() => expect(remote.content).toBe('mine one\r\ntwo\r\n'));
});

test("loads the server's text after a conflict", async () => {
  open();
  remote.content = 'theirs';
  remote.number = 7;
  type('mine ');
  await press('Save');
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
  await vi.waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Text of notes.txt' }).textContent).toBe('theirs'),
  );
  type('theirs and mine, ');
  await press('Save');
  await vi.waitFor(() => expect(remote.content).toBe('theirs and mine, theirs'));
});

test('asks before closing with unsaved changes, and closes after saving', async () => {
  open();
  type('new ');
  await press('Close editor');
  const dialog = await screen.findByRole('alertdialog', { name: 'Save your changes?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByRole('heading', { name: 'closed' })).toBeNull();
  await press('Close editor');
  const again = await screen.findByRole('alertdialog');
  await userEvent.click(within(again).getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByRole('heading', { name: 'closed' })).toBeDefined();
  expect(remote.content).toBe('new one\r\ntwo\r\n');
});

test('discards changes, and shows no dialog without changes', async () => {
  open();
  type('new ');
  await press('Close editor');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(await screen.findByRole('heading', { name: 'closed' })).toBeDefined();
  expect(remote.requests).toEqual([]);
});

test('shows the reason instead of Save without the permission to modify', () => {
  open({ canModify: false, resource: { name: 'notes.txt', type: 'textImmutable', size: 3, content: 'abc' } });
  expect(screen.getByText('You can view this file, but not change it.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('opens a text that is not UTF-8 read-only', () => {
  open({ resource: { name: 'notes.txt', type: 'textImmutable', size: 3, content: 'ab\uFFFD' } });
  expect(screen.getByText(/not in UTF-8/)).toBeDefined();
});

test('saves a UTF-8 copy of a text in another encoding, unless part of it could not be decoded', async () => {
  const onSavedAs = vi.fn<(path: string) => void>();
  open({ onSavedAs, resource: { name: 'notes.txt', type: 'textImmutable', size: 3, content: 'ü–' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save as a copy (UTF-8)' }));
  await vi.waitFor(() => expect(onSavedAs).toHaveBeenCalledWith('/notes(2).txt'));
  expect(remote.copy).toBe('ü–');
  cleanup();
  open({ onSavedAs, resource: { name: 'notes.txt', type: 'textImmutable', size: 3, content: 'ab\uFFFD' } });
  expect(screen.queryByRole('button', { name: 'Save as a copy (UTF-8)' })).toBeNull();
});

test('does not show a withheld text as an empty file', () => {
  open({ resource: { name: 'notes.txt', type: 'text', size: 3, content: undefined } });
  expect(screen.getByText(/You may not download files here/)).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('edits an empty file', async () => {
  open({ resource: { name: 'notes.txt', type: 'text', size: 0, content: undefined } });
  type('first');
  await press('Save');
  await vi.waitFor(() => expect(remote.content).toBe('first'));
});

test('saves a copy beside the file after a conflict', async () => {
  const onSavedAs = vi.fn<(path: string) => void>();
  open({ onSavedAs });
  remote.content = 'theirs';
  remote.number = 7;
  type('mine ');
  await press('Save');
  await userEvent.click(await screen.findByRole('button', { name: 'Save as a copy' }));
  await vi.waitFor(() => expect(onSavedAs).toHaveBeenCalledWith('/notes(2).txt'));
  expect(remote.content).toBe('theirs');
  expect(remote.copy).toBe('mine one\r\ntwo\r\n');
  expect(screen.queryByRole('img', { name: 'Unsaved changes' })).toBeNull();
});

test('closes with Escape, and asks first with unsaved changes', async () => {
  open();
  type('new ');
  await userEvent.click(screen.getByRole('textbox', { name: 'Text of notes.txt' }));
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(await screen.findByRole('heading', { name: 'closed' })).toBeDefined();
});

test('changes the font size within its limits, and remembers it', async () => {
  open();
  await press('Larger text');
  expect(screen.getByRole('group', { name: 'Text size: 15' })).toBeDefined();
  expect(loadSettings().fontSize).toBe(15);
  expect(parseSettings({ fontSize: 1000 }).fontSize).toBe(32);
  expect(parseSettings({ fontSize: 'large' }).fontSize).toBe(14);
});

test('renders the preview beside the text and updates it', async () => {
  const renderPreview = (text: string) => <article>{text.toUpperCase()}</article>;
  open({ renderPreview, resource: { name: 'notes.md', type: 'text', size: 3, content: 'abc' } });
  await press('Preview beside the text');
  expect(screen.getByRole('article').textContent).toBe('ABC');
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Text of notes.md' }));
  act(() => view?.dispatch({ changes: { from: 0, insert: 'x' } }));
  await vi.waitFor(() => expect(screen.getByRole('article').textContent).toBe('XABC'));
});

test('opens Markdown rendered, and shows its text by the key E or a button', async () => {
  const change: Partial<EditorProps> = {
    opensRendered: true,
    renderPreview: (text) => <article>{text.toUpperCase()}</article>,
    resource: { name: 'notes.md', type: 'text', size: 3, content: 'abc' },
  };
  open(change);
  expect(screen.getByRole('article').textContent).toBe('ABC');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Preview' }));
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await userEvent.keyboard('e');
  expect(screen.queryByRole('article')).toBeNull();
  const text = screen.getByRole('textbox', { name: 'Text of notes.md' });
  expect(document.activeElement).toBe(text);
  expect(EditorView.findFromDOM(text)?.state.doc.toString()).toBe('abc');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDefined();
  cleanup();
  act(() => setSingleKeys(false));
  open(change);
  await userEvent.keyboard('e');
  expect(screen.queryByRole('article')).not.toBeNull();
  act(() => setSingleKeys(true));
  await press('Edit');
  expect(screen.queryByRole('article')).toBeNull();
});

test('opens empty Markdown for writing', () => {
  open({
    opensRendered: true,
    renderPreview: () => <article />,
    resource: { name: 'new.md', type: 'text', size: 0, content: '' },
  });
  expect(screen.queryByRole('article')).toBeNull();
});

test('offers no preview for a text without a rendered form', () => {
  open();
  expect(screen.queryByRole('button', { name: 'Preview beside the text' })).toBeNull();
});

test('shows separated values as a table at once, until the table is closed', async () => {
  const change: Partial<EditorProps> = { isTable: true, renderPreview: () => <article>table</article> };
  open(change);
  expect(screen.getByRole('article').textContent).toBe('table');
  await press('Preview beside the text');
  expect(screen.queryByRole('article')).toBeNull();
  expect(loadSettings()).toMatchObject({ isTableShown: false, isPreviewShown: false });
});

test('applies the chosen colors, and reports another choice', async () => {
  const onTheme = vi.fn<(theme: string) => Promise<void>>(() => Promise.resolve());
  open({ theme: 'dracula', onTheme });
  const field = screen.getByRole('textbox', { name: 'Text of notes.txt' });
  expect(field.closest('[style*="--code-surface: #282a36"]')).not.toBeNull();
  const colors = screen.getByRole('combobox', { name: 'Colors' });
  expect(colors).toHaveProperty('value', 'dracula');
  await userEvent.selectOptions(colors, 'Nord');
  expect(onTheme).toHaveBeenLastCalledWith('nord_dark');
  await userEvent.selectOptions(colors, 'Colors of the page');
  expect(onTheme).toHaveBeenLastCalledWith('');
});
