import { expect, test } from 'vitest';
import { checkPreconditions, rangeApplies } from './preconditions.ts';

const modifiedMs = Date.parse('2024-03-01T10:00:00.700Z');
const validators = { tag: '"abc"', modifiedMs };
const same = 'Fri, 01 Mar 2024 10:00:00 GMT';
const before = 'Fri, 01 Mar 2024 09:59:59 GMT';
const after = 'Fri, 01 Mar 2024 10:00:01 GMT';

test.each([
  [{}, 'proceed'],
  [{ 'if-none-match': '"abc"' }, 'not_modified'],
  [{ 'if-none-match': 'W/"abc"' }, 'not_modified'],
  [{ 'if-none-match': '"x", "abc"' }, 'not_modified'],
  [{ 'if-none-match': '*' }, 'not_modified'],
  [{ 'if-none-match': '"abcd"' }, 'proceed'],
  [{ 'if-none-match': 'abc' }, 'proceed'],
  [{ 'if-modified-since': same }, 'not_modified'],
  [{ 'if-modified-since': after }, 'not_modified'],
  [{ 'if-modified-since': before }, 'proceed'],
  [{ 'if-modified-since': 'yesterday-ish' }, 'proceed'],
  // The tag takes precedence over the date (RFC 9110 §13.1.3).
  [{ 'if-none-match': '"other"', 'if-modified-since': same }, 'proceed'],
  [{ 'if-match': '"abc"' }, 'proceed'],
  [{ 'if-match': '*' }, 'proceed'],
  [{ 'if-match': 'W/"abc"' }, 'failed'],
  [{ 'if-match': '"other"' }, 'failed'],
  [{ 'if-unmodified-since': same }, 'proceed'],
  [{ 'if-unmodified-since': before }, 'failed'],
] as const)('the conditions %j are evaluated', (headers, outcome) => {
  expect(checkPreconditions(headers, validators)).toBe(outcome);
});

test.each([
  [{}, true],
  [{ 'if-range': '"abc"' }, true],
  [{ 'if-range': 'W/"abc"' }, false],
  [{ 'if-range': '"other"' }, false],
  [{ 'if-range': same }, true],
  [{ 'if-range': after }, false],
  [{ 'if-range': 'nonsense' }, false],
])('the range with %j applies: %j', (headers, applies) => {
  expect(rangeApplies(headers, validators)).toBe(applies);
});
