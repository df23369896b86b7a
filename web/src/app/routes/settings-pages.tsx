import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { HardDrive, Share2, SlidersHorizontal, User, Users } from '../../ui/icons.ts';

/** Returns the pages of the settings that the signed-in user may see. Their names are `settings:nav.<id>`. */
export function useSettingsPages() {
  const { perm } = useCurrentUser();
  const pages = [
    { id: 'profile', icon: <User />, isShown: true },
    { id: 'shares', icon: <Share2 />, isShown: perm.share },
    { id: 'global', icon: <SlidersHorizontal />, isShown: perm.admin },
    { id: 'users', icon: <Users />, isShown: perm.admin },
    { id: 'storage', icon: <HardDrive />, isShown: perm.admin },
  ] as const;
  return pages.filter(({ isShown }) => isShown);
}
