import { parentPort } from 'node:worker_threads';
import { CatalogueEngine } from './catalogue-engine.ts';
import type { ToCatalogue } from './catalogue-protocol.ts';

/** The thread that owns the catalogue; see {@link CatalogueEngine}. */

let engine: CatalogueEngine | null = null;

parentPort?.on('message', (message: ToCatalogue) => {
  if (message.kind !== 'start') {
    engine?.handle(message);
    return;
  }
  engine = new CatalogueEngine(message, message.scan, {
    post: (response) => parentPort?.postMessage(response, []),
    now: Date.now,
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  });
  engine.open();
});
