import { utf16ByMark } from '../../media-types/byte-order-mark.ts';
import type { TextSink } from './text-sink.ts';

/** Decides which parts of an XML document are text. Names are without the prefix of their namespace. */
export interface XmlRules {
  /** The elements whose text is added; null for all. */
  readonly texts: ReadonlySet<string> | null;
  /** The elements after which a line ends. */
  readonly lines: ReadonlySet<string>;
  /** The elements in whose place there is a space. */
  readonly spaces: ReadonlySet<string>;
  /** The elements that are left out with everything in them. */
  readonly skipped: ReadonlySet<string>;
  /** Whether an element that is otherwise text is left out, by its attributes. */
  readonly isSkipped?: (name: string, attributes: string) => boolean;
}

/** The size of the parts in which a document is decoded, in bytes. */
const partBytes = 256 * 1024;
/** The maximum length of a tag, in characters; longer ones are skipped. */
const maxTagLength = 1024 * 1024;

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Decodes the entities of a text. Those that a document declares itself are left as they are, so that none can grow. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi,
        (whole, decimal, hex, name: string) => {
          if (name !== undefined) return namedEntities[name] ?? whole;
          const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
          return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
        },
      )
    : text;

/** Decodes XML: UTF-8, or UTF-16 with a byte order mark. */
function* decodeXml(content: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(utf16ByMark(content) ?? 'utf-8');
  for (let at = 0; at < content.length; at += partBytes)
    yield decoder.decode(content.subarray(at, at + partBytes), { stream: true });
  yield decoder.decode();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Adds text of XML to a sink, tag by tag. */
class XmlCollector {
  readonly #sink: TextSink;
  readonly #rules: XmlRules;
  /** The number of open elements whose text is added. */
  #textDepth = 0;
  /** The number of open elements within a skipped one, itself included. */
  #skipDepth = 0;

  constructor(sink: TextSink, rules: XmlRules) {
    this.#sink = sink;
    this.#rules = rules;
  }

  text(raw: string): void {
    if (raw === '' || this.#skipDepth > 0) return;
    if (this.#rules.texts === null || this.#textDepth > 0) this.#sink.add(decodeEntities(raw));
  }

  /** Handles the text between `<` and `>`. */
  tag(tag: string): void {
    if (tag.startsWith('?') || tag.startsWith('!')) return;
    const isEnd = tag.startsWith('/');
    const isEmpty = tag.endsWith('/');
    const [, qualified = ''] = /^\/?([^\s/>]+)/.exec(tag) ?? [];
    const name = localName(qualified);
    if (this.#skipDepth > 0) {
      if (!isEmpty) this.#skipDepth += isEnd ? -1 : 1;
      return;
    }
    const { texts, lines, spaces, skipped, isSkipped } = this.#rules;
    const isLeftOut = skipped.has(name) || (!isEnd && isSkipped?.(name, tag) === true);
    if (isLeftOut) {
      if (!isEnd && !isEmpty) this.#skipDepth = 1;
      return;
    }
    if (spaces.has(name)) this.#sink.space();
    if (texts?.has(name) === true && !isEmpty)
      this.#textDepth = Math.max(0, this.#textDepth + (isEnd ? -1 : 1));
    if (lines.has(name) && (isEnd || isEmpty)) this.#sink.space('\n');
  }
}

/** Adds the text of an XML document to a sink. Its structure is not checked. */
export function addXmlText(content: Uint8Array, sink: TextSink, rules: XmlRules): void {
  const collector = new XmlCollector(sink, rules);
  let rest = '';
  for (const part of decodeXml(content)) {
    const text = rest + part;
    rest = '';
    for (let at = 0; at < text.length;) {
      if (sink.isFull) return;
      const open = text.indexOf('<', at);
      if (open < 0) {
        // An entity may be divided between two parts.
        const cut = text.lastIndexOf('&');
        const end = cut >= at && text.length - cut < 10 && part !== '' ? cut : text.length;
        collector.text(text.slice(at, end));
        rest = text.slice(end);
        break;
      }
      collector.text(text.slice(at, open));
      const isComment = text.startsWith('!--', open + 1);
      const isCdata = text.startsWith('![CDATA[', open + 1);
      const closing = isComment ? '-->' : isCdata ? ']]>' : '>';
      const close = text.indexOf(closing, open + 1);
      if (close < 0) {
        rest = text.slice(open);
        if (rest.length > maxTagLength) rest = '';
        break;
      }
      if (isCdata) collector.text(text.slice(open + '<![CDATA['.length, close).replaceAll('&', '&amp;'));
      else if (!isComment) collector.tag(text.slice(open + 1, close));
      at = close + closing.length;
    }
  }
  collector.text(rest.startsWith('<') ? '' : rest);
}
