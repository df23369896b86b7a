import { EditorState, type ChangeSpec } from '@codemirror/state';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeText, parseText } from './line-endings.ts';

/** Parses `content`, applies `change` and composes the result. */
function edit(content: string, change: ChangeSpec): string {
  const { doc, form } = parseText(content);
  const transaction = EditorState.create({ doc }).update({ changes: change });
  return composeText({
    doc: transaction.newDoc,
    form: { ...form, others: form.others.map(transaction.changes) },
  });
}

test('saves an unchanged text identically, with any line endings and byte order mark', () => {
  const part = fc.constantFrom('\n', '\r\n', '\r', 'a', 'ß', '👋', '\uFEFF', '\u2028', '\t', '\0');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const content = parts.join('');
      expect(composeText(parseText(content))).toBe(content);
    }),
    { numRuns: 1000 },
  );
});

test('uses the most frequent ending for new lines', () => {
  expect(parseText('a\r\nb\r\nc\n').form.ending).toBe('\r\n');
  expect(parseText('').form.ending).toBe('\n');
  expect(edit('a\r\nb\r\n', { from: 1, insert: '\nnew' })).toBe('a\r\nnew\r\nb\r\n');
});

test('keeps the endings of unchanged lines', () => {
  const mixed = 'one\nTwo\r\nthree\nfour\rfive\n';
  expect(edit(mixed, { from: 0, insert: 'x\n' })).toBe('x\none\nTwo\r\nthree\nfour\rfive\n');
  expect(edit(mixed, { from: 7, insert: '!' })).toBe('one\nTwo!\r\nthree\nfour\rfive\n');
  expect(edit(mixed, { from: 7, to: 8 })).toBe('one\nTwothree\nfour\rfive\n');
  expect(edit(mixed, { from: 5, to: 7 })).toBe('one\nT\r\nthree\nfour\rfive\n');
});
