import './styles/index.css';
import './app/splash.css';
import { createRoot } from 'react-dom/client';
import { pageConfig } from './api/page-config.ts';
import { withBase } from './api/urls.ts';
import { App } from './app/app.tsx';
import { preloadFirstScreen, firstScreenLoaded, isAtPublicPage } from './app/routes/first-screen.ts';
import { listenForInstallOffer } from './features/installable/install-offer.ts';
import { currentSession, startSession } from './features/sessions/session-store.ts';
import { showLocale } from './i18n/i18n.ts';
import { startTheme } from './styles/theme.ts';
import { trackFocus } from './ui/hooks/use-lost-focus.ts';

const container = document.getElementById('root');
if (container === null) throw new Error('the page has no element with the id “root”');
const root = createRoot(container);
startTheme(pageConfig.Theme);
trackFocus();
listenForInstallOffer();
preloadFirstScreen();
let failure: unknown = null;
try {
  await startSession();
} catch (error) {
  // Fails only without a login page, when signing in without credentials is refused. Visitors of a share need no
  // session.
  if (!isAtPublicPage()) failure = error;
}
// If a language cannot be fetched, English may still be in the browser's cache.
await showLocale(currentSession().user?.locale ?? '')
  .catch(() => showLocale('en', []))
  .catch(() => undefined);
await firstScreenLoaded();
root.render(<App failure={failure} />);
if (!isAtPublicPage()) runWhenIdle(startWorker);

/** Runs `start` once the browser is idle, after everything that the user waits for. */
function runWhenIdle(start: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(start, { timeout: 10_000 });
  else setTimeout(start, 3000);
}

/**
 * Registers the service worker, so that the browser can install the product and open it without a connection. Does
 * nothing where browsers allow no workers (plain HTTP to another machine), or under Vite's development server.
 */
function startWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // The worker is optional: the browser's settings may forbid it, and the next visit tries again.
  registerWorker().catch(() => undefined);
}

async function registerWorker(): Promise<void> {
  const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
    withBase('/sw.js'),
    { scope: withBase('/') },
  );
  // In an automated browser this may resolve to nothing.
  if (!registration) return;
  const { followServiceWorker } = await import('./features/installable/service-worker.ts');
  await followServiceWorker(registration);
}
