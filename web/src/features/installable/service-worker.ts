import { withBase } from '../../api/urls.ts';
import { i18n, loadTexts } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { keepOfflinePage } from './offline-page.ts';
import { askVersion, skipWaitingMessage } from './worker-names.ts';

/** A page that stays open looks for a new version at most this often, in ms. */
const updateEveryMs = 60 * 60 * 1000;
/** How long a worker may take to say its version, in ms. */
const answerMs = 5000;
/** How long one who wants the new version waits for its worker, in ms. */
const takeOverMs = 1500;

/**
 * Lets the browser install the product and open it without a connection. Does nothing where browsers allow no workers
 * (plain HTTP to another machine) or under Vite's own server.
 */
export async function startServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await loadTexts('installable');
  await keepOfflinePage();
  i18n.on('languageChanged', () => void keepOfflinePage());
  let registration: ServiceWorkerRegistration | undefined;
  try {
    registration = await navigator.serviceWorker.register(withBase('/sw.js'), { scope: withBase('/') });
  } catch {
    // Forbidden by the browser's settings; everything else works without.
  }
  if (registration) watch(registration);
}

function watch(registration: ServiceWorkerRegistration): void {
  if (registration.waiting) void considerWaiting(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.waiting) void considerWaiting(installing);
    });
  });
  let lookedAtMs = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAtMs < updateEveryMs) return;
    lookedAtMs = Date.now();
    // Without a connection the next look finds it.
    registration.update().catch(() => undefined);
  });
}

/** Lets a worker of this page's own version take over; one of a newer version means that the page is old. */
async function considerWaiting(worker: ServiceWorker): Promise<void> {
  const version = await versionOf(worker);
  if (version === null) return;
  if (version === ownVersion()) {
    worker.postMessage(skipWaitingMessage, { transfer: [] });
    return;
  }
  showToast({
    tone: 'info',
    message: i18n.t('update.text', { ns: 'installable' }),
    timeoutMs: Infinity,
    action: {
      label: i18n.t('update.reload', { ns: 'installable' }),
      onAction: () => {
        const reload = () => window.location.reload();
        worker.addEventListener('statechange', () => {
          if (worker.state === 'activated') reload();
        });
        worker.postMessage(skipWaitingMessage, { transfer: [] });
        // The old worker may have something to end first. The page comes from the server either way.
        setTimeout(reload, takeOverMs);
      },
    },
  });
}

/** The page's script as a path below the base URL. */
function ownVersion(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname.slice(withBase('/').length) : null;
}

function versionOf(worker: ServiceWorker): Promise<string | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const finish = (version: string | null) => {
      clearTimeout(timer);
      port1.close();
      resolve(version);
    };
    const timer = setTimeout(() => finish(null), answerMs);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      finish(typeof data === 'string' ? data : null);
    });
    port1.start();
    worker.postMessage(askVersion, [port2]);
  });
}
