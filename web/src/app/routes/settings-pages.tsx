import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { HardDrive, Share2, SlidersHorizontal, User, Users } from '../../ui/icons.ts';

/** Returns the pages of the settings that the signed-in user may see. Their names are `settings:nav.<id>`; those for everyone are of the whole installation. */
export function useSettingsPages() {
  const { perm } = useCurrentUser();
  const pages = [
    { id: 'profile', icon: <User />, isShown: true, isForEveryone: false },
    { id: 'shares', icon: <Share2 />, isShown: perm.share, isForEveryone: false },
    { id: 'global', icon: <SlidersHorizontal />, isShown: perm.admin, isForEveryone: true },
    { id: 'users', icon: <Users />, isShown: perm.admin, isForEveryone: true },
    { id: 'storage', icon: <HardDrive />, isShown: perm.admin, isForEveryone: true },
  ] as const;
  return pages.filter(({ isShown }) => isShown);
}
