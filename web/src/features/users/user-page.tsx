import type { SettingsResponse } from '@filestead/contract/settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '../../i18n/use-translation.ts';
import { isApiError } from '../../api/call.ts';
import { changeUser } from '../../api/change-user.ts';
import { formatNumber } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ArrowLeft, Trash2 } from '../../ui/icons.ts';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { UnsavedChanges } from '../../ui/navigation/unsaved-changes.tsx';
import { PasswordDialog } from '../../ui/overlays/password-dialog.tsx';
import { settingsQuery } from '../../api/settings-query.ts';
import { useConfirmedChange } from './use-confirmed-change.ts';
import {
  changeOf,
  toFieldErrors,
  draftOf,
  isSameName,
  newDraft,
  newUserOf,
  type FieldError,
  type UserDraft,
  type EditedUser,
  type UserField,
} from './user-draft.ts';
import { useUserFailure, type UserFailure } from './user-failure.ts';
import { UserForm } from './user-form.tsx';
import styles from './user-page.module.css';
import { removeUser, storeNewUser, userQuery, usersQuery } from './users-queries.ts';

export interface UserPageProps {
  /** Null for a new user. */
  id: number | null;
  /** The signed-in user. */
  ownId: number;
  /** Called with the path of the new user's page. */
  onCreated: (path: string) => void;
  /** Returns to the list: after a deletion, or instead of saving. */
  onLeave: () => void;
  /** Called after the signed-in user's own record has changed on the server. */
  onOwnUserSaved: () => void;
  /** Sends the request that deletes the signed-in user, which ends their session. */
  endOwnSessionBy: (request: () => Promise<void>) => Promise<void>;
  /** Called after the signed-in user has been deleted. */
  onOwnUserDeleted: () => void;
  /** Below the form of an existing user. */
  children?: ReactNode;
}

/** Creates a user, or changes an existing one. */
export function UserPage(props: UserPageProps) {
  const { t } = useTranslation(['users', 'app']);
  const { id } = props;
  const settings = useQuery(settingsQuery);
  const user = useQuery({ ...userQuery(id ?? 0), enabled: id !== null });
  const renderMissing = (error: unknown) =>
    isApiError(error, 'not_found') ? (
      <div className={styles.missing} data-fill="">
        <EmptyState
          illustration="missing"
          title={t('missing')}
          actions={
            <Button icon={<ArrowLeft />} onClick={props.onLeave}>
              {t('frame.back', { ns: 'app', name: t('back') })}
            </Button>
          }
        >
          {t('missingHint')}
        </EmptyState>
      </div>
    ) : null;
  return (
    <Loaded query={settings}>
      {(template) =>
        id === null ? (
          <UserEditor {...props} stored={null} template={template} />
        ) : (
          <Loaded query={user} renderFailure={renderMissing}>
            {(stored) => <UserEditor key={stored.id} {...props} stored={stored} template={template} />}
          </Loaded>
        )
      }
    </Loaded>
  );
}

interface UserEditorProps extends Omit<UserPageProps, 'id'> {
  stored: EditedUser | null;
  template: SettingsResponse;
}

function UserEditor({ stored, template, ownId, ...props }: UserEditorProps) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const failureOf = useUserFailure();
  const [failure, setFailure] = useState<UserFailure | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const initial = stored === null ? newDraft(template.defaults, template.createUserDir) : draftOf(stored);
  /** The edited values; null if nothing has been edited since the last save. */
  const [edited, setEdited] = useState<UserDraft | null>(null);
  const draft = edited ?? initial;
  /** The fields whose errors are shown: only those that the user has finished. */
  const [visited, setVisited] = useState<ReadonlySet<UserField>>(new Set());
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial);
  const { run, isPending, prompt } = useConfirmedChange((error) => setFailure(failureOf(error)));

  const { data: allUsers = [] } = useQuery(usersQuery);
  const minLength = template.minimumPasswordLength;
  const fieldErrors = toFieldErrors(draft, {
    isNew: stored === null,
    minLength,
    isTaken: (name) => allUsers.some(({ id, username }) => id !== stored?.id && isSameName(username, name)),
  });
  const textOf = (reason: FieldError) =>
    reason === 'tooShort'
      ? t('failed.tooShort', { count: minLength, number: formatNumber(minLength) })
      : t(`failed.${reason}`);

  /** Discards the edited values, which also allows navigation. */
  const discardEdits = () =>
    flushSync(() => {
      setEdited(null);
      setVisited(new Set());
    });
  const refetch = () => queries.invalidateQueries({ queryKey: usersQuery.queryKey });

  const save = () => {
    setFailure(null);
    const [firstError] = fieldErrors;
    if (firstError !== undefined) {
      setVisited(new Set(fieldErrors.map(({ field }) => field)));
      setFailure({ field: firstError.field, text: textOf(firstError.reason) });
      return;
    }
    run(async (currentPassword) => {
      if (stored === null) {
        const path = await storeNewUser(newUserOf(draft, template.defaults), currentPassword);
        void refetch();
        discardEdits();
        showToast({ tone: 'success', message: t('created') });
        props.onCreated(path);
        return;
      }
      const change = changeOf(draft, stored);
      if (Object.keys(change).length > 0) await changeUser(stored.id, change, currentPassword);
      await refetch();
      discardEdits();
      showToast({ tone: 'success', message: t('updated') });
      if (stored.id === ownId) props.onOwnUserSaved();
    });
  };

  const remove = (id: number) => {
    setFailure(null);
    run(async (currentPassword) => {
      const request = () => removeUser(id, currentPassword);
      await (id === ownId ? props.endOwnSessionBy(request) : request());
      discardEdits();
      setDeleting(false);
      showToast({ tone: 'success', message: t('deleted') });
      if (id === ownId) return props.onOwnUserDeleted();
      queries.removeQueries({ queryKey: userQuery(id).queryKey });
      void refetch();
      props.onLeave();
    });
  };

  const general = failure !== null && failure.field === null ? failure.text : '';
  return (
    <>
      <UserForm
        draft={draft}
        onChange={(next) => {
          setEdited(next);
          setFailure(null);
        }}
        onSubmit={save}
        isNew={stored === null}
        homeBase={template.createUserDir ? template.userHomeBasePath : null}
        globalRules={template.rules}
        letterCase={template.letterCase}
        isWaiting={stored?.awaitsScope ?? false}
        failure={failure}
        fieldErrors={Object.fromEntries(
          fieldErrors
            .filter(({ field }) => visited.has(field))
            .map(({ field, reason }) => [field, textOf(reason)]),
        )}
        onFieldBlur={(field) => {
          if (draft[field] !== initial[field]) setVisited(new Set(visited).add(field));
        }}
        footer={
          <>
            <Button type="submit" variant="primary" isPending={isPending && !isDeleting}>
              {t('form.save')}
            </Button>
            <Button onClick={props.onLeave}>{common('cancel')}</Button>
            {stored !== null && (
              <Button className={styles.delete} icon={<Trash2 />} onClick={() => setDeleting(true)}>
                {t('form.delete')}
              </Button>
            )}
            <p role="alert" className={styles.failure}>
              {isDeleting ? '' : general}
            </p>
          </>
        }
      />
      {props.children}
      {stored !== null && (
        <ConfirmDialog
          title={t('deletion.title', { name: isolateBidi(stored.username) })}
          isOpen={isDeleting && !prompt.isOpen}
          isPending={isPending}
          onClose={() => {
            setDeleting(false);
            setFailure(null);
          }}
          onConfirm={() => remove(stored.id)}
          confirmLabel={t('deletion.confirm')}
          errorMessage={general}
        >
          <p>{t('deletion.question')}</p>
          <p className={styles.hint}>{t(stored.id === ownId ? 'deletion.ownHint' : 'deletion.hint')}</p>
        </ConfirmDialog>
      )}
      <PasswordDialog
        {...prompt}
        title={t('confirm.title')}
        label={t('confirm.field')}
        description={t('confirm.text')}
        submitLabel={t('confirm.submit')}
        wrongPassword={t('confirm.wrong')}
      />
      <UnsavedChanges isDirty={isChanged} />
    </>
  );
}
