import type { ReactNode } from 'react';
import { useState } from 'react';
import { UnsavedChanges } from '../../ui/navigation/unsaved-changes.tsx';
import { KeyboardCard } from './keyboard-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PreferencesCard, type Preferences, type DisplayFieldsPart } from './preferences-card.tsx';
import type { SaveProfile } from './save-profile.ts';
import { useDraft } from './use-draft.ts';

export interface ProfilePageProps {
  preferences: Preferences;
  /** Null if users have no password here, or may not change it. */
  username: string | null;
  save: SaveProfile;
  DisplayFields: DisplayFieldsPart;
  /** Below the cards. */
  children?: ReactNode;
}

/** The settings that users make for themselves. */
export function ProfilePage({ preferences, username, save, DisplayFields, children }: ProfilePageProps) {
  const draft = useDraft(preferences);
  const [isPasswordDirty, setPasswordDirty] = useState(false);
  return (
    <>
      <PreferencesCard draft={draft} save={save} DisplayFields={DisplayFields} />
      <KeyboardCard />
      {username !== null && <PasswordCard username={username} save={save} onDirtyChange={setPasswordDirty} />}
      {children}
      <UnsavedChanges isDirty={draft.isChanged || isPasswordDirty} />
    </>
  );
}
