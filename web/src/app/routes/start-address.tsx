import { pageConfig } from '../../api/page-config.ts';
import { defaultRedirect, safeRedirect } from '../../features/sessions/safe-redirect.ts';
import { useCurrentUser, type CurrentUser } from '../../features/sessions/session-store.ts';
import { Navigate } from '../../ui/navigation/router.tsx';
import { storedText, storeText } from '../../ui/browser-storage.ts';

type Starter = Pick<CurrentUser, 'id' | 'startOn'>;

const keyOf = ({ id }: Starter): string => `filestead.place.${id}`;

/** The beginnings of the addresses of a user's places besides the files, as an alternative of a pattern. */
export const otherPlaces =
  'archive|duplicates|favorites|history|home|photos|recent|search|shared|space|tags|trash';
/** The addresses that are places of a user; settings and error screens are not. */
const place = new RegExp(`^/(?:files|${otherPlaces})(?![^/?#])`, 'u');

/** Stores the address of a screen, if the user starts on the last one. */
export function storePlace(user: Starter, address: string): void {
  if (user.startOn !== 'last' || !place.test(address)) return;
  storeText(keyOf(user), address);
}

function storedPlace(user: Starter): string {
  const address = safeRedirect(storedText(keyOf(user)));
  return place.test(address) ? address : defaultRedirect;
}

/** Returns the address of the page that a user has chosen to start on. Without a catalogue there is no Home. */
export function startAddress(user: Starter): string {
  if (user.startOn === 'home' && pageConfig.EnableCatalogue) return '/home';
  return user.startOn === 'last' ? storedPlace(user) : defaultRedirect;
}

/** The state of the history entry of a start, whose folder may have been deleted since the last visit. */
export interface StartState {
  readonly isStart?: boolean;
}

/** Goes to the page on which the user starts. */
export function ToStart() {
  const start: StartState = { isStart: true };
  return <Navigate to={startAddress(useCurrentUser())} state={start} replace />;
}
