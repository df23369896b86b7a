import { EditorState, type ChangeSpec } from '@codemirror/state';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeText, parseText } from './line-endings.ts';

/** Opens `content`, applies `change` and saves. */
function edited(content: string, change: ChangeSpec): string {
  const { doc, form } = parseText(content);
  const transaction = EditorState.create({ doc }).update({ changes: change });
  return composeText({
    doc: transaction.newDoc,
    form: { ...form, others: form.others.map(transaction.changes) },
  });
}

test('whatever the endings and the byte order mark, an unchanged text is saved as it was', () => {
  const part = fc.constantFrom('\n', '\r\n', '\r', 'a', 'ß', '👋', '\uFEFF', '\u2028', '\t', '\0');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const content = parts.join('');
      expect(composeText(parseText(content))).toBe(content);
    }),
    { numRuns: 1000 },
  );
});

test('the most frequent ending is the one of new lines', () => {
  expect(parseText('a\r\nb\r\nc\n').form.ending).toBe('\r\n');
  expect(parseText('').form.ending).toBe('\n');
  expect(edited('a\r\nb\r\n', { from: 1, insert: '\nnew' })).toBe('a\r\nnew\r\nb\r\n');
});

test('lines that were not touched keep their own ending', () => {
  const mixed = 'one\nTwo\r\nthree\nfour\rfive\n';
  expect(edited(mixed, { from: 0, insert: 'x\n' })).toBe('x\none\nTwo\r\nthree\nfour\rfive\n');
  expect(edited(mixed, { from: 7, insert: '!' })).toBe('one\nTwo!\r\nthree\nfour\rfive\n');
  expect(edited(mixed, { from: 7, to: 8 })).toBe('one\nTwothree\nfour\rfive\n');
  expect(edited(mixed, { from: 5, to: 7 })).toBe('one\nT\r\nthree\nfour\rfive\n');
});
