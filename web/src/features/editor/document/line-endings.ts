import { MapMode, RangeSet, RangeSetBuilder, RangeValue, Text } from '@codemirror/state';

/** The line endings that occur in files. */
export type LineEnding = '\n' | '\r\n' | '\r';

const byteOrderMark = '\uFEFF';
const anyEnding = /\r\n|\r|\n/g;

/**
 * Marks a line break that differs from the usual one of its file. The mark precedes the break, moves with it and is
 * removed together with it.
 */
class OtherEnding extends RangeValue {
  readonly ending: LineEnding;
  override mapMode = MapMode.TrackAfter;
  override startSide = 1;
  override endSide = 1;

  constructor(ending: LineEnding) {
    super();
    this.ending = ending;
  }

  override eq(other: RangeValue): boolean {
    return other instanceof OtherEnding && other.ending === this.ending;
  }
}

/** The properties of a file that its lines do not contain; kept so that saving changes only what was edited. */
export interface TextForm {
  readonly hasByteOrderMark: boolean;
  /** The most frequent ending, which new lines get. */
  readonly ending: LineEnding;
  /** The line breaks with another ending, by position. */
  readonly others: RangeSet<OtherEnding>;
}

/** The text of a file: its lines and its form. */
export interface FileText {
  readonly doc: Text;
  readonly form: TextForm;
}

const other: Record<LineEnding, OtherEnding> = {
  '\n': new OtherEnding('\n'),
  '\r\n': new OtherEnding('\r\n'),
  '\r': new OtherEnding('\r'),
};

/** Splits the content of a file into lines and form. */
export function parseText(content: string): FileText {
  const hasByteOrderMark = content.startsWith(byteOrderMark);
  const body = hasByteOrderMark ? content.slice(1) : content;
  const counts: Record<LineEnding, number> = { '\n': 0, '\r\n': 0, '\r': 0 };
  const endings: LineEnding[] = [];
  for (const [match] of body.matchAll(anyEnding)) {
    const ending = match as LineEnding;
    counts[ending] += 1;
    endings.push(ending);
  }
  const mostFrequent = (['\n', '\r\n', '\r'] as const).reduce((best, next) =>
    counts[next] > counts[best] ? next : best,
  );
  const lines = body.split(anyEnding);
  const builder = new RangeSetBuilder<OtherEnding>();
  if (counts[mostFrequent] < endings.length) {
    let position = 0;
    for (const [index, ending] of endings.entries()) {
      position += lines[index]?.length ?? 0;
      if (ending !== mostFrequent) builder.add(position, position, other[ending]);
      position += 1;
    }
  }
  return { doc: Text.of(lines), form: { hasByteOrderMark, ending: mostFrequent, others: builder.finish() } };
}

/** Composes the content of the file; the inverse of {@link parseText} for an unchanged document. */
export function composeText({ doc, form }: FileText): string {
  const { hasByteOrderMark, ending, others } = form;
  const start = hasByteOrderMark ? byteOrderMark : '';
  if (others.size === 0) return start + doc.sliceString(0, doc.length, ending);
  const parts: string[] = [start];
  const cursor = others.iter();
  let position = 0;
  let isFirst = true;
  for (const line of doc.iterLines()) {
    if (!isFirst) {
      while (cursor.value && cursor.from < position) cursor.next();
      parts.push(cursor.value && cursor.from === position ? cursor.value.ending : ending);
      position += 1;
    }
    parts.push(line);
    position += line.length;
    isFirst = false;
  }
  return parts.join('');
}
