// A page that cannot reach the server could not fetch its drawing any more.
import('./drawings.tsx').catch(() => undefined);
