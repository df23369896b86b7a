import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { ShortRequests } from './short-requests.ts';

const maxCount = 16;

let nowMs = 0;
let timers: { atMs: number; work: () => void }[] = [];
const after = (delayMs: number, work: () => void): (() => void) => {
  const timer = { atMs: nowMs + delayMs, work };
  timers.push(timer);
  return () => {
    timers = timers.filter((each) => each !== timer);
  };
};
const passMs = (ms: number): void => {
  nowMs += ms;
  for (const { work } of timers.filter(({ atMs }) => atMs <= nowMs)) work();
};

beforeEach(() => {
  nowMs = 1000;
  timers = [];
});

const fill = (requests: ShortRequests, count = maxCount): ServerResponse[] =>
  Array.from({ length: count }, () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    requests.begin(response);
    return response;
  });

test('is full with sixteen requests, until one of them has been answered', () => {
  const requests = new ShortRequests(() => nowMs, after);
  fill(requests, maxCount - 1);
  expect(requests.isFull).toBe(false);
  const [response] = fill(requests, 1);
  expect(requests.isFull).toBe(true);
  response?.emit('close');
  expect(requests.isFull).toBe(false);
});

test('does not count requests that take long', () => {
  const requests = new ShortRequests(() => nowMs, after);
  fill(requests);
  passMs(49);
  expect(requests.isFull).toBe(true);
  passMs(1);
  expect(requests.isFull).toBe(false);
});

test('says once when a request has been answered', () => {
  const requests = new ShortRequests(() => nowMs, after);
  const [first, second] = fill(requests);
  let calls = 0;
  expect(requests.isFull).toBe(true);
  requests.whenFree(() => calls++);
  first?.emit('close');
  second?.emit('close');
  expect(calls).toBe(1);
  expect(timers).toEqual([]);
  fill(requests, 2);
  expect(requests.isFull).toBe(true);
});

test('says when the oldest request no longer counts', () => {
  const requests = new ShortRequests(() => nowMs, after);
  fill(requests);
  passMs(20);
  let calls = 0;
  requests.whenFree(() => calls++);
  passMs(29);
  expect(calls).toBe(0);
  passMs(2);
  expect(calls).toBe(1);
  expect(requests.isFull).toBe(false);
});
