import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { top } from '../prepare.mjs';

/**
 * Returns one line for an error of a test: its place, if the report contains one (`location` in those of Playwright), and the first line
 * of its message.
 */
function summarizeError({ message = '', location }) {
  const place = location ? `${relative(top, location.file)}:${location.line}: ` : '';
  return place + stripVTControlCharacters(message).split('\n', 1)[0];
}

/** Returns the name of a test or file for the summary of `npm test`, with a line for each of its errors. */
export const withErrors = (name, errors) => [name, ...errors.map(summarizeError)].join('\n  ');
