import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Avatar } from '../../ui/names/avatar.tsx';
import { UnsavedChanges } from '../../ui/navigation/unsaved-changes.tsx';
import { KeyboardCard } from './keyboard-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PreferencesCards, type PreferencesCardsProps } from './preferences-card.tsx';
import styles from './settings.module.css';

export interface ProfilePageProps extends PreferencesCardsProps {
  user: { readonly username: string; readonly isAdmin: boolean };
  /** Whether the user has a password here and may change it. */
  hasPassword: boolean;
  /** Below the other sections. */
  children?: ReactNode;
}

/** The settings that users make for themselves. */
export function ProfilePage({ user, hasPassword, children, ...preferences }: ProfilePageProps) {
  const [isPasswordDirty, setPasswordDirty] = useState(false);
  return (
    <>
      <ProfileHead {...user} />
      <PreferencesCards {...preferences} />
      <KeyboardCard />
      {hasPassword && (
        <PasswordCard username={user.username} save={preferences.save} onDirtyChange={setPasswordDirty} />
      )}
      {children}
      <UnsavedChanges isDirty={isPasswordDirty} />
    </>
  );
}

/** The user's name and role. */
function ProfileHead({ username, isAdmin }: ProfilePageProps['user']) {
  const { t } = useTranslation('settings');
  return (
    <div className={styles.profile}>
      <Avatar name={username} size={56} />
      <div className={styles.profileTexts}>
        <p className={styles.profileName}>
          <bdi>{username}</bdi>
        </p>
        <p className={styles.profileRole}>{t(isAdmin ? 'profile.administrator' : 'profile.user')}</p>
      </div>
    </div>
  );
}
