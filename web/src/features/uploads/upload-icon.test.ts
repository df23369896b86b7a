import { expect, test } from 'vitest';
import { uploadIconKind } from './upload-icon.ts';

test.each([
  ['file', 'disk.vmdk', '', 'disc'],
  ['file', 'report.pdf', 'application/octet-stream', 'pdf'],
  ['file', 'voice', 'audio/ogg', 'audio'],
  ['file', 'unknown', '', 'other'],
  ['folder', 'trip.zip', '', 'folder'],
] as const)('shows a %s %s of type "%s" as %s', (kind, name, mediaType, icon) => {
  expect(uploadIconKind({ kind, name, mediaType })).toBe(icon);
});
