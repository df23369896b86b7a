import { expect, test } from 'vitest';
import { ChangeCollector } from './change-collector.ts';
import { maxChangedNames } from './observe-protocol.ts';

test('collects each name of a folder once', () => {
  const collector = new ChangeCollector(1_000);
  collector.add(1, 'rename', 'a');
  collector.add(1, 'change', 'a');
  collector.add(2, 'change', 'b');
  expect([...collector.take()]).toEqual([
    [1, { names: ['a'], renamed: [], isMoved: false }],
    [2, { names: ['b'], renamed: [], isMoved: false }],
  ]);
  expect(collector.isEmpty).toBe(true);
});

test('treats two consecutive names of one folder as a rename, unless the second one is written to', () => {
  const collector = new ChangeCollector(1_000);
  collector.add(1, 'rename', 'a');
  collector.add(1, 'rename', 'b');
  collector.add(2, 'rename', 'c');
  collector.add(1, 'rename', 'd');
  collector.add(2, 'rename', 'e');
  collector.add(2, 'rename', 'f');
  collector.add(2, 'change', 'f');
  const taken = collector.take();
  expect(taken.get(1)?.renamed).toEqual([['a', 'b']]);
  expect(taken.get(2)?.renamed).toEqual([]);
});

test('reports any name after more names than a change may contain', () => {
  const collector = new ChangeCollector(1_000_000);
  for (let index = 0; index <= maxChangedNames; index++) collector.add(1, 'rename', `${index}`);
  collector.add(1, 'rename', 'last');
  expect(collector.take().get(1)).toEqual({ names: null, renamed: [], isMoved: false });
});

test('reports names up to the number that it was given', () => {
  const collector = new ChangeCollector(1_000_000, 1_000);
  for (let index = 0; index < 1_000; index++) collector.add(1, 'rename', `${index}`);
  expect(collector.take().get(1)?.names).toHaveLength(1_000);
  for (let index = 0; index <= 1_000; index++) collector.add(1, 'rename', `${index}`);
  expect(collector.take().get(1)?.names).toBeNull();
});

test('treats an iteration of the event loop with half as many events as the queue can contain as an overflow of all folders', () => {
  const collector = new ChangeCollector(10);
  for (let index = 0; index < 4; index++) collector.add(1, 'change', 'a');
  collector.endIteration([1, 2]);
  expect([...collector.take().keys()]).toEqual([1]);
  for (let index = 0; index < 5; index++) collector.add(1, 'change', 'a');
  collector.endIteration([1, 2]);
  const lost = { names: null, renamed: [], isMoved: true };
  expect([...collector.take()]).toEqual([
    [1, lost],
    [2, lost],
  ]);
});

test('counts the events of each iteration of the event loop separately', () => {
  const collector = new ChangeCollector(10);
  for (let iteration = 0; iteration < 5; iteration++) {
    for (let index = 0; index < 4; index++) collector.add(1, 'change', 'a');
    collector.endIteration([1]);
  }
  expect(collector.take().get(1)?.names).toEqual(['a']);
});
