import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseBuiltIn } from './built-in.ts';
import { CommandHistory } from './command-history.ts';
import type { startCommand } from './command-socket.ts';
import { ShellSession } from './shell-session.ts';

type Listener = Parameters<typeof startCommand>[2];

/** A session whose commands print and end when the test calls for it. */
function createSession() {
  const started: { folder: string; line: string; listener: Listener; stop: () => void }[] = [];
  const start: typeof startCommand = (folder, line, listener) => {
    const stop = vi.fn<() => void>();
    started.push({ folder, line, listener, stop });
    return stop;
  };
  const session = new ShellSession(start);
  const last = () => {
    const command = started.at(-1);
    if (!command) throw new Error('nothing was started');
    return command;
  };
  const confirm = vi.fn<() => void>();
  const print = (...lines: string[]): void => last().listener.onLines(lines, confirm);
  return { session, started, last, print, confirm };
}

const home = virtualPath('/home');
const printed = (session: ShellSession): string[] =>
  session
    .getSnapshot()
    .runs.flatMap(({ groups }) => groups.flatMap(({ lines }) => lines))
    .map(({ spans }) => spans.map(({ text }) => text).join(''));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});

test('shows output while a command runs, and runs the next one afterwards', () => {
  const { session, started, last, print, confirm } = createSession();
  session.run({ folder: home, line: 'ls' });
  expect(session.getSnapshot().isRunning).toBe(true);
  print('one');
  print('two');
  expect(confirm).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(printed(session)).toEqual(['one', 'two']);
  expect(confirm).toHaveBeenCalledTimes(2);
  session.run({ folder: home, line: 'another' });
  expect(started).toHaveLength(1);
  print('three');
  last().listener.onEnd('done');
  expect(printed(session)).toEqual(['one', 'two', 'three']);
  expect(session.getSnapshot()).toMatchObject({ isRunning: false, runs: [{ state: 'done', line: 'ls' }] });
  session.run({ folder: home, line: 'another' });
  expect(started.map(({ line }) => line)).toEqual(['ls', 'another']);
});

test('runs several commands in sequence, and none after a stopped one', () => {
  const { session, started, last } = createSession();
  const step = (line: string) => ({ folder: home, line });
  session.run(step('one'), step('two'), step('three'));
  expect(started.map(({ line }) => line)).toEqual(['one']);
  last().listener.onEnd('done');
  expect(started.map(({ line }) => line)).toEqual(['one', 'two']);
  expect(session.getSnapshot().isRunning).toBe(true);
  session.stop();
  expect(started).toHaveLength(2);
  expect(session.getSnapshot()).toMatchObject({
    isRunning: false,
    runs: [{ state: 'done' }, { state: 'stopped' }],
  });
});

test('stops a command', () => {
  const { session, last } = createSession();
  session.run({ folder: home, line: 'sleep 60' });
  session.stop();
  expect(last().stop).toHaveBeenCalledOnce();
  expect(session.getSnapshot()).toMatchObject({ isRunning: false, runs: [{ state: 'stopped' }] });
});

test('clears finished commands and earlier output', () => {
  const { session, last, print } = createSession();
  session.run({ folder: home, line: 'first' });
  last().listener.onEnd('done');
  session.run({ folder: home, line: 'second' });
  print('x');
  vi.advanceTimersByTime(20);
  session.clear();
  expect(session.getSnapshot().runs.map(({ line }) => line)).toEqual(['second']);
  expect(printed(session)).toEqual([]);
  print('y');
  vi.advanceTimersByTime(20);
  expect(printed(session)).toEqual(['y']);
});

test('keeps only the last lines of a flood, counts the dropped ones, and leaves full groups unchanged', () => {
  const { session, last, print } = createSession();
  session.run({ folder: home, line: 'seq 6050' });
  for (let number = 1; number <= 150; number += 1) print(String(number));
  vi.advanceTimersByTime(20);
  const [first] = session.getSnapshot().runs[0]?.groups ?? [];
  for (let number = 151; number <= 300; number += 1) print(String(number));
  vi.advanceTimersByTime(20);
  expect(session.getSnapshot().runs[0]?.groups[0]).toBe(first);
  for (let number = 301; number <= 6050; number += 1) print(String(number));
  last().listener.onEnd('done');
  const lines = printed(session);
  expect(lines.at(-1)).toBe('6050');
  expect(lines.length + (session.getSnapshot().runs[0]?.droppedLines ?? 0)).toBe(6050);
  expect(lines.length).toBeLessThanOrEqual(5000);
});

test('skips all but the last lines of a large block, but keeps their styles', () => {
  const { session, print } = createSession();
  session.run({ folder: home, line: 'flood' });
  print('\u001B[31mred', ...Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`));
  vi.advanceTimersByTime(20);
  const [run] = session.getSnapshot().runs;
  const lines = run?.groups.flatMap((group) => group.lines) ?? [];
  expect(lines).toHaveLength(5000);
  expect(run?.droppedLines).toBe(15_001);
  expect(lines.at(-1)?.spans).toMatchObject([{ text: 'line 20000', style: { color: expect.any(String) } }]);
});

test('processes output while the page is hidden', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const { session, print, confirm } = createSession();
  session.run({ folder: home, line: 'ls' });
  print('one');
  vi.advanceTimersByTime(300);
  vi.unstubAllGlobals();
  expect(printed(session)).toEqual(['one']);
  expect(confirm).toHaveBeenCalledOnce();
});

test('moves through the history and back to the typed text', () => {
  const history = new CommandHistory();
  history.add('one');
  history.add('two');
  history.add('two');
  expect([history.older('typed'), history.older(''), history.older('')]).toEqual(['two', 'one', null]);
  expect([history.newer(), history.newer(), history.newer()]).toEqual(['two', 'typed', null]);
  expect(new CommandHistory().older('')).toBe('two');
});

test.each([
  ['clear', { kind: 'clear' }],
  [' exit ', { kind: 'exit' }],
  ['cd', { kind: 'go', to: '/' }],
  ['cd ..', { kind: 'go', to: '/' }],
  ['cd a/../b', { kind: 'go', to: '/home/b' }],
  ['cd "a b"', { kind: 'go', to: '/home/a b' }],
  ['cd /x', { kind: 'go', to: '/x' }],
  ['cd ../../../..', { kind: 'go', to: '/' }],
  ['cd a && ls', null],
  ['cd $HOME', null],
  ['cdx', null],
  ['ls', null],
])('parses %s in /home as a built-in command or not', (line, expected) => {
  expect(parseBuiltIn(line, home)).toEqual(expected);
});
