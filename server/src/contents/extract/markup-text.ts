import { mayBeText, sniffedBytes } from '../../media-types/media-type.ts';
import { decodeText, encodingOf } from '../../media-types/text-encoding.ts';
import type { TextSink } from './text-sink.ts';
import { decodeEntities } from './xml-text.ts';

/** The part of an HTML file that is read, in characters. */
const maxMarkupLength = 16 * 1024 * 1024;
/** Elements whose content is not text. */
const hidden = ['script', 'style', 'template'] as const;

/** Returns the text of HTML: tags become spaces, scripts and styles are left out. */
function withoutMarkup(html: string): string {
  const lower = html.toLowerCase();
  let text = '';
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at);
    text += html.slice(at, open < 0 ? html.length : open);
    if (open < 0) break;
    const isComment = lower.startsWith('<!--', open);
    const element = hidden.find((name) => lower.startsWith(name, open + 1));
    const ending = isComment ? '-->' : element === undefined ? '>' : `</${element}`;
    const close = lower.indexOf(ending, open + 1);
    if (close < 0) break;
    text += ' ';
    at = close + (element === undefined ? ending.length : 0);
  }
  return decodeEntities(text);
}

/** Adds the text of an HTML file. */
export async function addMarkupText(bytes: Uint8Array, sink: TextSink): Promise<void> {
  if (!mayBeText(bytes.subarray(0, sniffedBytes))) return;
  const encoding = await encodingOf(bytes);
  let html = '';
  for (const part of decodeText(bytes, encoding)) {
    html += part;
    if (html.length >= maxMarkupLength) break;
  }
  sink.add(withoutMarkup(html));
}
