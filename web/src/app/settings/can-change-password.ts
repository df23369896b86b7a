import { pageConfig } from '../../api/page-config.ts';
import type { CurrentUser } from '../../features/sessions/session-store.ts';

/** Whether a user signs in with a password of their own and may change it. */
export const canChangePassword = ({ lockPassword }: Pick<CurrentUser, 'lockPassword'>): boolean =>
  pageConfig.AuthMethod === 'json' && !pageConfig.NoAuth && !lockPassword;
