import {
  canonicalScope,
  isDefaultScopeConfirmed,
  themes,
  type Settings,
  type SettingsResponse,
} from '@filestead/contract/settings';
import { shareUnits } from '@filestead/contract/shares';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { formatNumber } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { Card, CardPart } from '../../ui/card.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { CardFooter } from './card-footer.tsx';
import {
  bounds,
  withGeneral,
  invalidFieldsOf,
  type GeneralDraft,
  type GeneralField,
} from './general-draft.ts';
import type { SaveSettings } from './settings-queries.ts';
import type { GlobalPageComponents } from './global-page-components.ts';
import styles from './settings.module.css';
import { useCurrentPasswordField } from './use-current-password-field.tsx';
import { useCardSave } from './use-card-save.ts';
import type { Draft } from './use-draft.ts';

export interface GeneralCardProps {
  draft: Draft<GeneralDraft>;
  save: SaveSettings;
  /** The stored default scope. */
  defaultScope: Settings['defaults']['scope'];
  letterCase: SettingsResponse['letterCase'];
  RulesEditor: GlobalPageComponents['RulesEditor'];
}

const inputProps = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
type Flag = {
  [Name in keyof GeneralDraft]: GeneralDraft[Name] extends boolean ? Name : never;
}[keyof GeneralDraft];
type Text = 'shell' | 'name' | 'files' | GeneralField;

/** The card of accounts, rules, shell, branding, shares and uploads. */
export function GeneralCard({ draft, save, defaultScope, letterCase, RulesEditor }: GeneralCardProps) {
  const { t } = useTranslation('settings');
  const saving = useCardSave('updated');
  const passwordField = useCurrentPasswordField();
  const { value } = draft;
  const invalidFields = invalidFieldsOf(value);
  const scope = canonicalScope(defaultScope) ?? '/';
  const createsAccounts = value.signup || ['proxy', 'hook'].includes(pageConfig.AuthMethod);
  const isScopeConfirmed = isDefaultScopeConfirmed({
    confirmedDefaultScope: value.confirmedDefaultScope,
    defaults: { scope: defaultScope },
  });

  const change = (part: Partial<GeneralDraft>) => {
    draft.change(part);
    saving.forget();
    if (part.requireCurrentPassword === true) passwordField.forget();
  };
  const errors: Record<GeneralField, string> = {
    userHomeBasePath: t('global.error.path'),
    minimumPasswordLength: t('global.error.number', formatBounds(bounds.minimumPasswordLength)),
    color: t('global.error.color'),
    reportURL: t('global.error.reportURL'),
    shareDuration: t('global.error.number', formatBounds(bounds.shareDuration)),
    chunkSize: t('global.error.size'),
    retryCount: t('global.error.number', formatBounds(bounds.retryCount)),
  };
  const flag = (name: Flag, label: string, description?: string) => (
    <Switch
      isSelected={value[name]}
      description={description}
      onChange={(isSelected) => change({ [name]: isSelected })}
    >
      {label}
    </Switch>
  );
  const text = (name: Text, label: string, more: { description?: ReactNode; placeholder?: string } = {}) => (
    <TextField
      {...inputProps}
      {...more}
      label={label}
      data-field={name}
      value={value[name]}
      onChange={(next) => change({ [name]: next })}
      errorMessage={invalidFields.some((field) => field === name) ? errors[name as GeneralField] : undefined}
    />
  );

  const submit = () => {
    const [first] = invalidFields;
    if (first !== undefined) {
      document.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
      return;
    }
    void saving.run(async () => {
      await passwordField.confirm((password) => save((settings) => withGeneral(settings, value), password));
      draft.reset();
    });
  };

  return (
    <Card title={t('global.title')} onSubmit={submit} footer={<CardFooter {...saving} />}>
      <CardPart title={t('global.accounts')}>
        <div className={styles.switches}>
          {flag('signup', t('global.signup'), t('global.signupHint'))}
          {flag('createUserDir', t('global.createUserDir'), t('global.createUserDirHint'))}
          {createsAccounts && !value.createUserDir && (
            <Switch
              isSelected={isScopeConfirmed}
              description={t(isScopeConfirmed ? 'global.scopeConfirmedHint' : 'global.scopeUnconfirmedHint')}
              onChange={(isConfirmed) => change({ confirmedDefaultScope: isConfirmed ? scope : '' })}
            >
              {scope === '/'
                ? t('global.confirmRoot')
                : t('global.confirmScope', { folder: isolateBidi(scope) })}
            </Switch>
          )}
          {flag(
            'requireCurrentPassword',
            t('global.requireCurrentPassword'),
            t('global.requireCurrentPasswordHint'),
          )}
        </div>
        <div className={styles.columns}>
          {text('userHomeBasePath', t('global.userHomeBasePath'))}
          {text('minimumPasswordLength', t('global.minimumPasswordLength'))}
        </div>
      </CardPart>
      <CardPart title={t('global.rules')} description={t('global.rulesHint')}>
        <RulesEditor
          rules={value.rules}
          letterCase={letterCase}
          refusal={saving.refusal}
          onChange={(rules) => change({ rules })}
        />
      </CardPart>
      {pageConfig.EnableExec && (
        <CardPart title={t('global.shell')}>
          {text('shell', t('global.shellField'), {
            description: t('global.shellHint'),
            placeholder: 'bash -c, cmd /c, ...',
          })}
        </CardPart>
      )}
      <CardPart title={t('global.branding')} description={t('global.brandingHint')}>
        <div className={styles.columns}>
          {text('name', t('global.name'))}
          <Select
            label={t('global.theme')}
            description={t('global.themeHint')}
            value={value.theme}
            onChange={(theme) => change({ theme })}
            options={themes.map((theme) => ({
              value: theme,
              label: t(`global.themes.${theme || 'system'}`),
            }))}
          />
        </div>
        {text('files', t('global.files'), { description: t('global.filesHint') })}
        {text('color', t('global.color'), { description: t('global.colorHint') })}
        {text('reportURL', t('global.reportURL'), { description: t('global.reportURLHint') })}
        <div className={styles.switches}>
          {flag('disableExternal', t('global.disableExternal'), t('global.disableExternalHint'))}
          {flag('disableUsedPercentage', t('global.disableUsedPercentage'))}
          {flag('hideLoginButton', t('global.hideLoginButton'))}
        </div>
      </CardPart>
      <CardPart title={t('global.links')} description={t('global.linksHint')}>
        <div className={styles.columns}>
          {text('shareDuration', t('global.shareDuration'), { placeholder: t('global.permanent') })}
          <Select
            label={t('global.shareUnit')}
            value={value.shareUnit}
            onChange={(shareUnit) => change({ shareUnit })}
            options={shareUnits.map((unit) => ({ value: unit, label: t(`global.shareUnits.${unit}`) }))}
          />
        </div>
      </CardPart>
      <CardPart title={t('global.uploads')} description={t('global.uploadsHint')}>
        <div className={styles.columns}>
          {text('chunkSize', t('global.chunkSize'), { description: t('global.chunkSizeHint') })}
          {text('retryCount', t('global.retryCount'))}
        </div>
      </CardPart>
      {passwordField.field}
    </Card>
  );
}

const formatBounds = ({ min, max }: { min: number; max: number }) => ({
  least: formatNumber(min),
  most: formatNumber(max),
});
