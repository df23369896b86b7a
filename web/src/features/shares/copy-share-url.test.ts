import { expect, test } from 'vitest';
import { copyShareUrl } from './copy-share-url.ts';

// jsdom has neither a clipboard nor a copy command.
test('selects the address for manual copying if the browser refuses to copy', async () => {
  const field = document.createElement('input');
  field.value = 'https://files.example/share/Ab';
  document.body.append(field);
  await copyShareUrl(field.value, field);
  expect(document.activeElement).toBe(field);
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
});
