import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { UploadProgress } from './queue/upload-progress.ts';
import { uploadStates, type UploadState } from './queue/upload-job.ts';
import { headline } from './upload-texts.ts';

/** Returns the key and the values of a text. */
const t = ((key: string, values: object) =>
  `${key} ${JSON.stringify(values)}`) as unknown as TFunction<'uploads'>;

/** Returns the headline of a queue with these numbers of items. */
function headlineOf(
  files: Partial<Record<UploadState, number>>,
  folders: Partial<Record<UploadState, number>>,
) {
  const sum = (state: UploadState) => (files[state] ?? 0) + (folders[state] ?? 0);
  const byState = (count: (state: UploadState) => number) =>
    Object.fromEntries(uploadStates.map((state) => [state, count(state)])) as Record<UploadState, number>;
  const empty = new UploadProgress(0).snapshot;
  return headline(t, {
    ...empty,
    counts: byState(sum),
    folderCounts: byState((state) => folders[state] ?? 0),
    total: uploadStates.reduce((total, state) => total + sum(state), 0),
    isBusy: sum('sending') + sum('waiting') > 0,
  });
}

test('folders do not count beside the files in them', () => {
  expect(headlineOf({ done: 2000 }, { done: 21 })).toMatch(/^tray\.uploaded .*"number":"2,000"/u);
  expect(headlineOf({ done: 5, sending: 3 }, { done: 1, waiting: 1 })).toBe(
    'tray.uploading {"done":"5","total":"8"}',
  );
});

test('folders count if nothing else is uploaded, or if they failed', () => {
  expect(headlineOf({}, { done: 3 })).toMatch(/^tray\.uploaded .*"number":"3"/u);
  expect(headlineOf({ done: 1 }, { failed: 1 })).toMatch(/^tray\.uploaded .*"1".* · tray\.failed .*"1"/u);
});
