import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { createRequestLogger } from './request-logger.ts';

let lines: Record<string, unknown>[];
const openLog = () =>
  pino(
    { level: 'debug', base: null, timestamp: false, redact: ['token'] },
    new Writable({
      write(line: Buffer, _encoding, done) {
        lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
        done();
      },
    }),
  );
beforeEach(() => {
  lines = [];
});

test('adds the id of the request to each line, and redacts as its parent does', () => {
  const log = createRequestLogger(openLog(), { reqId: 'a' });
  log.info({ token: 'secret' }, 'one %s', 'line');
  log.error('another');
  log.trace('below the level');
  log.child({ part: 1 }).warn('a part');
  expect(lines).toEqual([
    { level: 30, reqId: 'a', token: '[Redacted]', msg: 'one line' },
    { level: 50, reqId: 'a', msg: 'another' },
    { level: 40, reqId: 'a', part: 1, msg: 'a part' },
  ]);
  expect(log.level).toBe('debug');
});

test('creates no child logger for a request without a line', () => {
  const parent = openLog();
  const child = vi.spyOn(parent, 'child');
  const log = createRequestLogger(parent, { reqId: 'a' });
  expect(child).not.toHaveBeenCalled();
  log.info('one');
  log.info('two');
  expect(child).toHaveBeenCalledOnce();
});
