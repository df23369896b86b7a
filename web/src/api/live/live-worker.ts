// The shared worker with the live connection of all tabs of a browser.
import { LiveHub } from './live-hub.ts';
import type { LiveRequest } from './live-messages.ts';

const hub = new LiveHub({
  openEvents: (url) => new EventSource(url),
  fetch: (url, init) => fetch(url, init),
  pausesWhenHidden: false,
});

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const receive = hub.connect((update) => port.postMessage(update));
  port.addEventListener('message', ({ data }: MessageEvent<LiveRequest>) => receive(data));
  // Newer browsers also report pages that crashed; otherwise a page sends `leave` when it is closed.
  port.addEventListener('close', () => receive({ kind: 'leave' }));
  port.start();
});
