import type { Job } from '@filestead/contract/jobs';
import { expect, test } from 'vitest';
import { openTestClock } from '../../test/test-clock.ts';
import type { EventStream } from '../http/response/event-stream.ts';
import { openJobFeed } from './job-feed.ts';
import type { JobRecord } from './job-record.ts';

test('the end of a job is reported at once, its progress at most four times a second', () => {
  const clock = openTestClock(0, { isStopped: true });
  const job = { id: 'one', userId: 1, hasEnded: false, state: 'queued' };
  const record = { ...job, present: () => ({ id: job.id, state: job.state }) as Job } as unknown as JobRecord;
  const sent: string[] = [];
  const stream = {
    isBlocked: false,
    onDrain: () => undefined,
    onClose: () => undefined,
    send: (_event: string, data: string) => sent.push((JSON.parse(data) as Job).state),
  };
  const feed = openJobFeed(() => [record], clock);
  feed.follow(1, stream as unknown as EventStream);
  sent.length = 0;
  const change = (state: Job['state']): void => {
    job.state = state;
    feed.changed({ ...record, hasEnded: state === 'done' } as JobRecord);
  };

  change('queued');
  change('running');
  expect(sent).toEqual(['queued']);
  change('done');
  expect(sent).toEqual(['queued', 'done']);
  clock.advance(250);
  expect(sent).toEqual(['queued', 'done']);
});
