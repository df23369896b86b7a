import { withBase } from '../../api/urls.ts';
import { currentLanguageTag, i18n, loadTexts } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { storeOfflinePage } from './offline-page.ts';
import { versionRequest, skipWaitingMessage } from './worker-names.ts';

/** The shortest interval between two checks for a new version by an open page, in ms. */
const updateIntervalMs = 60 * 60 * 1000;
/** The time within which a worker has to report its version, in ms. */
const versionTimeoutMs = 5000;
/** The time after which the page reloads even if the new worker has not become active, in ms. */
const reloadAfterMs = 1500;

/** Watches a registered service worker for new versions, and stores the page that it shows without a connection. */
export async function followServiceWorker(registration: ServiceWorkerRegistration): Promise<void> {
  watch(registration);
  await loadTexts('installable');
  await storeOfflinePage();
  let language = currentLanguageTag();
  i18n.subscribe(() => {
    if (currentLanguageTag() === language) return;
    language = currentLanguageTag();
    void storeOfflinePage();
  });
}

function watch(registration: ServiceWorkerRegistration): void {
  if (registration.waiting) void handleWaiting(registration.waiting);
  const awaitInstalling = () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.waiting) void handleWaiting(installing);
    });
  };
  // An update may have been found before this code was loaded.
  awaitInstalling();
  registration.addEventListener('updatefound', awaitInstalling);
  let checkedMs = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedMs < updateIntervalMs) return;
    checkedMs = Date.now();
    // Fails without a connection; the next check repeats it.
    registration.update().catch(() => undefined);
  });
}

/**
 * Activates a waiting worker of this page's version. A worker of another version means that the page is outdated: the
 * user can reload.
 */
async function handleWaiting(worker: ServiceWorker): Promise<void> {
  const version = await requestVersion(worker);
  if (version === null) return;
  if (version === currentVersion()) {
    worker.postMessage(skipWaitingMessage, { transfer: [] });
    return;
  }
  await loadTexts('installable');
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
        // The old worker may have to finish requests first. The page is loaded from the server either way.
        setTimeout(reload, reloadAfterMs);
      },
    },
  });
}

/** Returns the path of the page's script below the base URL, which identifies its version. */
function currentVersion(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname.slice(withBase('/').length) : null;
}

function requestVersion(worker: ServiceWorker): Promise<string | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const finish = (version: string | null) => {
      clearTimeout(timer);
      port1.close();
      resolve(version);
    };
    const timer = setTimeout(() => finish(null), versionTimeoutMs);
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      finish(typeof data === 'string' ? data : null);
    });
    port1.start();
    worker.postMessage(versionRequest, [port2]);
  });
}
