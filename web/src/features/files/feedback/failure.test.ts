import { deniedBySystem, readOnlyDisk } from '@filestead/contract/errors';
import { expect, test } from 'vitest';
import { ApiError } from '../../../api/call.ts';
import { loadTexts } from '../../../i18n/i18n.ts';
import { transferFailureReason } from './failure.ts';

test.each([
  ['a missing permission', undefined, /^You don't have permission for this\. Ask an administrator/u],
  ['a refusal by the system of the server', deniedBySystem, /^The server itself may not do this\./u],
  ['a read-only disk', readOnlyDisk, /^The disk is read-only\./u],
])('explains %s', async (_title, detail, text) => {
  await loadTexts('files');
  expect(transferFailureReason(new ApiError(403, 'forbidden', { detail }))).toMatch(text);
});
