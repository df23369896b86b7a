import type { LetterCase } from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { pageConfig } from '../../api/page-config.ts';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { CommandsField } from './commands-field.tsx';
import { DisplayFields } from './display-fields.tsx';
import { LanguageField } from './language-field.tsx';
import { PermissionFields } from './permission-fields.tsx';
import { RulesEditor } from './rules/rules-editor.tsx';
import { maxUsernameLength, withPermissions, type UserDraft, type UserField } from './user-draft.ts';
import type { UserFailure } from './user-failure.ts';
import styles from './user-page.module.css';

export interface UserFormProps {
  draft: UserDraft;
  onChange: (draft: UserDraft) => void;
  onSubmit: () => void;
  isNew: boolean;
  /** The stored user sees no files until an administrator grants the scope. */
  isWaiting: boolean;
  /** The parent of new users' home folders; null if none are created. */
  homeBase: string | null;
  globalRules: readonly Rule[];
  /** The comparison of letter case in names by the server's file systems. */
  letterCase: LetterCase;
  /** The error of a field: a translated message, or the server's own for a rule. */
  failure: UserFailure | null;
  /** The errors of fields that the user has edited, before anything is sent. */
  fieldErrors: Partial<Record<UserField, string>>;
  /** Called when a field loses the focus. */
  onFieldBlur: (field: UserField) => void;
  /** The buttons at the bottom. */
  footer: ReactNode;
}

/** All fields of a user that an administrator can change. */
export function UserForm(props: UserFormProps) {
  const { draft, onChange, isNew, homeBase, failure } = props;
  const { t } = useTranslation('users');
  const change = (part: Partial<UserDraft>) => onChange({ ...draft, ...part });
  const errorOf = (field: UserField) => (failure?.field === field ? failure.text : props.fieldErrors[field]);
  const form = useRef<HTMLFormElement>(null);
  // The pressed button may be far below the field.
  useEffect(() => {
    if (failure?.field == null) return;
    const invalidRule = '[data-part="rules"] [aria-invalid="true"]';
    const field = failure.field === 'rules' ? invalidRule : `[data-field="${failure.field}"]`;
    form.current?.querySelector<HTMLElement>(field)?.focus();
  }, [failure]);
  const inputProps = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <Card title={t('form.account')}>
        <TextField
          {...inputProps}
          label={t('form.username')}
          data-field="username"
          onBlur={() => props.onFieldBlur('username')}
          maxLength={maxUsernameLength}
          value={draft.username}
          onChange={(username) => change({ username })}
          errorMessage={errorOf('username')}
        />
        <TextField
          label={t('form.password')}
          type="password"
          data-field="password"
          onBlur={() => props.onFieldBlur('password')}
          autoComplete="new-password"
          placeholder={isNew ? undefined : t('form.keepPassword')}
          value={draft.password}
          onChange={(password) => change({ password })}
          errorMessage={errorOf('password')}
        />
        {isNew && homeBase !== null && (
          <Switch
            isSelected={draft.hasOwnHome}
            description={t('form.createHomeHint', { path: isolateBidi(homeBase) })}
            onChange={(hasOwnHome) => change({ hasOwnHome })}
          >
            {t('form.createHome')}
          </Switch>
        )}
        <TextField
          {...inputProps}
          label={t('form.scope')}
          data-field="scope"
          onBlur={() => props.onFieldBlur('scope')}
          dir="ltr"
          description={t('form.scopeHint')}
          isDisabled={draft.hasOwnHome}
          placeholder={draft.hasOwnHome ? t('form.scopeAuto') : undefined}
          value={draft.hasOwnHome ? '' : draft.scope}
          onChange={(scope) => change({ scope })}
          errorMessage={errorOf('scope')}
        />
        {!isNew && props.isWaiting && (
          <Switch
            isSelected={!draft.awaitsScope}
            description={t('form.grantScopeHint')}
            onChange={(isGranted) => change({ awaitsScope: !isGranted })}
          >
            {t('form.grantScope')}
          </Switch>
        )}
        <LanguageField value={draft.locale} onChange={(locale) => change({ locale })} />
        <Switch
          isSelected={draft.lockPassword}
          isDisabled={draft.perm.admin}
          onChange={(lockPassword) => change({ lockPassword })}
        >
          {t('form.lockPassword')}
        </Switch>
      </Card>
      <Card title={t('form.appearance')}>
        <DisplayFields
          display={draft.display}
          onChange={(part) => change({ display: { ...draft.display, ...part } })}
        />
      </Card>
      <Card title={t('permissions.title')}>
        <PermissionFields perm={draft.perm} onChange={(perm) => onChange(withPermissions(draft, perm))} />
        {pageConfig.EnableExec && (
          <CommandsField text={draft.commands} onChange={(commands) => change({ commands })} />
        )}
      </Card>
      <Card title={t('form.rules')} description={t('form.rulesHint')}>
        <div data-part="rules">
          <RulesEditor
            rules={draft.rules}
            before={props.globalRules}
            letterCase={props.letterCase}
            refusal={errorOf('rules')}
            onChange={(rules) => change({ rules })}
          />
        </div>
      </Card>
      <div className={styles.footer}>{props.footer}</div>
    </form>
  );
}
