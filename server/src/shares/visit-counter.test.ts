import { expect, test } from 'vitest';
import { openVisitCounter, visitGapMs } from './visit-counter.ts';

const open = () => {
  const written: Record<string, number>[] = [];
  const state = { now: 0, isBroken: false };
  const counter = openVisitCounter(
    {
      addVisits: async (visits) => {
        if (state.isBroken) throw new Error('disk full');
        written.push(Object.fromEntries(visits));
      },
    },
    () => state.now,
  );
  return { counter, written, state };
};

test('counts requests of one address as one visit until half an hour passes without any', async () => {
  const { counter, written, state } = open();
  for (let minute = 0; minute < 120; minute += 1) {
    state.now = minute * 60_000;
    counter.record('share', '192.0.2.1');
  }
  await counter.flush();
  state.now += visitGapMs;
  counter.record('share', '192.0.2.1');
  await counter.flush();
  expect(written).toEqual([{ share: 1 }, { share: 1 }]);
});

test('counts addresses and shares separately and writes them together', async () => {
  const { counter, written } = open();
  counter.record('one', '192.0.2.1');
  counter.record('one', '192.0.2.2');
  counter.record('two', '192.0.2.1');
  await counter.flush();
  await counter.flush();
  expect(written).toEqual([{ one: 2, two: 1 }]);
});

test('keeps counts that could not be written', async () => {
  const { counter, written, state } = open();
  counter.record('share', '192.0.2.1');
  state.isBroken = true;
  await expect(counter.flush()).rejects.toThrow('disk full');
  counter.record('share', '192.0.2.2');
  state.isBroken = false;
  await counter.flush();
  expect(written).toEqual([{ share: 2 }]);
});
