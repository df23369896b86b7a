import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExtractorStarted, ExtractRequest, ExtractResponse } from './contents-protocol.ts';
import { extractText } from './extract/extract-text.ts';
import { foldText } from './index/fold-text.ts';
import { makeSnippet } from './index/make-snippet.ts';
import { threadNumber } from '../programs/thread-time.ts';

/**
 * A thread that reads documents, one after the other. It gets their bytes and opens no files and no connections. The main thread ends
 * it when it takes too long, and Node.js when it needs too much memory.
 */

/** The maximum length of all texts that are kept for further snippets, in UTF-16 code units. */
const maxKeptLength = 8 * 1024 * 1024;

/** Texts by the state of their file, the one that was used last at the end. */
const kept = new Map<string, string>();
let keptLength = 0;

function keep(key: string, text: string): void {
  if (text.length > maxKeptLength / 2) return;
  kept.set(key, text);
  keptLength += text.length;
  for (const [oldest, { length }] of kept) {
    if (keptLength <= maxKeptLength) return;
    kept.delete(oldest);
    keptLength -= length;
  }
}

function recall(key: string): string | undefined {
  const text = kept.get(key);
  if (text === undefined) return undefined;
  kept.delete(key);
  kept.set(key, text);
  return text;
}

/** Returns the bytes of a string in a buffer of their own, which can be transferred. */
function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function respondTo(request: ExtractRequest): Promise<ExtractResponse> {
  if (request.kind === 'texts') {
    const texts: (Uint8Array<ArrayBuffer> | null)[] = [];
    for (const { bytes, format } of request.documents) {
      const text = await extractText(bytes, format);
      texts.push(text.trim() === '' ? null : encode(foldText(text)));
    }
    return { kind: 'texts', texts };
  }
  const { key, bytes, format, terms } = request;
  let text = recall(key);
  if (text === undefined) {
    if (bytes === null) return { kind: 'snippet', snippet: null };
    text = await extractText(bytes, format);
    keep(key, text);
  }
  return { kind: 'snippet', snippet: makeSnippet(text, terms) };
}

if ((workerData as { isBackground: boolean } | undefined)?.isBackground === true) {
  try {
    // Applies to this thread only.
    setPriority(19);
  } catch {
    // Not permitted on this system.
  }
}

async function serve(request: ExtractRequest): Promise<void> {
  const response = await respondTo(request);
  const texts = response.kind === 'texts' ? response.texts : [];
  parentPort?.postMessage(
    response,
    texts.flatMap((text) => (text === null ? [] : [text.buffer])),
  );
}

parentPort?.postMessage({ kind: 'started', thread: threadNumber() } satisfies ExtractorStarted, []);

// An unexpected error ends the thread: it counts as a failure of the document.
parentPort?.on('message', (request: ExtractRequest) => void serve(request));
