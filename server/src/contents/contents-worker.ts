import { parentPort } from 'node:worker_threads';
import { diskFailureOf } from '../database/sqlite/sqlite-errors.ts';
import type { FromContents, ToContents } from './contents-protocol.ts';
import { findInIndex } from './find-in-index.ts';
import { ContentIndex } from './index/content-index.ts';

/** The thread that owns the index of contents; see {@link ContentIndex}. */

/** Texts that were added are stored after this time without a further one, in milliseconds. */
const storeAfterMs = 1_000;

let index: ContentIndex | null = null;
let storeTimer: NodeJS.Timeout | undefined;

const post = (message: FromContents): void => parentPort?.postMessage(message, []);

function storeSoon(): void {
  clearTimeout(storeTimer);
  storeTimer = setTimeout(() => attempt(() => index?.store()), storeAfterMs);
}

/** Runs a change of the index and reports its failure. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: 'unusable', message, isDamaged: diskFailureOf(error) === 'damaged' });
  }
}

async function find(opened: ContentIndex, message: Extract<ToContents, { kind: 'find' }>): Promise<void> {
  const { id, stop } = message;
  const flag = new Int32Array(stop);
  try {
    opened.store();
    const { rows, hasMore } = await findInIndex(opened, message.find, {
      isStopped: () => Atomics.load(flag, 0) !== 0,
      now: Date.now,
    });
    post({ kind: 'found', id, rows, hasMore, progress: opened.progress() });
  } catch (error) {
    post({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

function handle(opened: ContentIndex, message: ToContents): void {
  switch (message.kind) {
    case 'open':
      break;
    case 'files':
      opened.listFiles(message.files, message);
      break;
    case 'folders':
      opened.listFolders(message.folders);
      break;
    case 'moved':
      opened.move(message.from, message.to);
      break;
    case 'next':
      if (message.isFirst) opened.release();
      post({ kind: 'next', id: message.id, documents: opened.next() });
      break;
    case 'store':
      opened.add(message.document, message.text && Buffer.from(message.text).toString('utf8'), message.read);
      storeSoon();
      break;
    case 'failed':
      opened.fail(message.document);
      break;
    case 'gone':
      opened.forget(message.document);
      break;
    case 'find':
      void find(opened, message);
      break;
    case 'close':
      clearTimeout(storeTimer);
      opened.close();
      index = null;
      post({ kind: 'closed', id: message.id });
      break;
  }
}

parentPort?.on('message', (message: ToContents) => {
  attempt(() => {
    if (message.kind === 'open') index = ContentIndex.open(message.file, message.root);
    else if (index !== null) handle(index, message);
  });
});
