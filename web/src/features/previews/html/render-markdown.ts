import { Marked } from 'marked';

const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]*>|[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/gu, '-');

/**
 * Converts Markdown (GitHub flavor) to HTML that still has to be sanitized. Headings get ids for links within the
 * text.
 */
export function renderMarkdown(text: string): string {
  const used = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const id = headingId(heading);
        const count = used.get(id) ?? 0;
        used.set(id, count + 1);
        const name = count === 0 ? id : `${id}-${count}`;
        // The surrounding page has its own heading of the first level.
        const level = Math.min(6, depth + 1);
        return `<h${level} id="${name}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    },
  });
  return marked.parse(text, { async: false });
}
