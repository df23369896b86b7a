import { describe, expect, it, test } from 'vitest';
import { parseFind } from '../../catalogue/query/parse-find.ts';
import { contentQueryOf, matchExpression } from './content-query.ts';
import { foldText } from './fold-text.ts';
import { makeSnippet } from './make-snippet.ts';

const queryOf = (text: string) => contentQueryOf(parseFind(text, 0));

/** The snippet of a text with its matches in brackets. */
function marked(text: string, query: string): string {
  const { text: shown, matches } = makeSnippet(text, queryOf(query)?.terms ?? []);
  return matches.reduceRight(
    (result, [start, end]) => `${result.slice(0, start)}[${result.slice(start, end)}]${result.slice(end)}`,
    shown,
  );
}

test('texts are folded, and characters of scripts without spaces are separated', () => {
  expect(foldText('Straße in MÜNCHEN')).toBe('strasse in munchen');
  expect(foldText('a写真b').replaceAll(/ +/g, ' ')).toBe('a 写 真 b');
  const long = 'Ä'.repeat(70_000);
  expect(foldText(long)).toBe('a'.repeat(70_000));
});

describe('the expression of a query', () => {
  it.each<[string, string | null]>([
    ['annual report', '"annual" * AND "report" *'],
    ['"annual report"', '"annual report"'],
    ['"annual"', '"annual"'],
    ['to be', '"to" AND "be"'],
    ['invoice -draft -"second copy"', '("invoice" *) NOT ("draft" * OR "second copy")'],
    ['Müller-Lüdenscheidt', '"muller ludenscheidt" *'],
    ['in*', '"in" *'],
    ['写真', '" 写   真 "'],
    ['AND OR NEAR(x) "a" ^b c:d', '"and" * AND "or" AND "near x" AND "a" AND "b" AND "c d"'],
    ['*port', null],
    ['rep?rt', null],
    ['ext:pdf', null],
    ['--- "!"', null],
    ['-draft', null],
  ])('%s is converted to %s', (query, expression) => {
    const parsed = queryOf(query);
    expect(parsed && matchExpression(parsed)).toBe(expression);
  });
});

describe('a snippet', () => {
  it('marks the words of a query in any spelling', () => {
    expect(marked('Die Münchener Straße, und die STRASSEN', 'strasse munch')).toBe(
      'Die [Münchener] [Straße], und die [STRASSEN]',
    );
    expect(marked('東京の写真を見る', '写真')).toBe('東京の[写真]を見る');
    expect(marked('the annual report and the report', '"annual report"')).toBe(
      'the [annual report] and the report',
    );
    expect(marked('art and article', '"art"')).toBe('[art] and article');
  });

  it('is the part with most of the words, with an ellipsis where the text continues', () => {
    const filler = 'nothing to see here. '.repeat(50);
    const text = `${filler}one ${filler}two and one ${filler}`;
    const snippet = marked(text, '"one" "two"');
    expect(snippet).toContain('[two] and [one]');
    expect(snippet.startsWith('… ')).toBe(true);
    expect(snippet.endsWith(' …')).toBe(true);
    expect(snippet.length).toBeLessThan(230);
  });

  it('has collapsed white space and whole characters', () => {
    expect(marked('a\n\n  report\t\0x', 'report')).toBe('a [report] x');
    const { text } = makeSnippet('😀'.repeat(300), [{ words: ['x'], isPrefix: false }]);
    expect(text).not.toContain('\uFFFD');
  });

  it('is the beginning of a text without matches', () => {
    expect(marked('only this', 'report')).toBe('only this');
    expect(marked('', 'report')).toBe('');
  });
});
