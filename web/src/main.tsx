import './styles/index.css';
import './app/splash.css';
import { createRoot } from 'react-dom/client';
import { pageConfig } from './api/page-config.ts';
import { App } from './app/app.tsx';
import { preloadFirstScreen, firstScreenLoaded, isAtPublicPage } from './app/routes/screens.tsx';
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

function startWorker(): void {
  // The worker is optional; the next visit tries again.
  import('./features/installable/service-worker.ts')
    .then(({ startServiceWorker }) => startServiceWorker())
    .catch(() => undefined);
}
