import {
  canonicalScope,
  isDefaultScopeConfirmed,
  themes,
  trashVisibilities,
  type Settings,
} from '@filestead/contract/settings';
import { shareUnits } from '@filestead/contract/shares';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { formatNumber, pluralValues } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { bounds, invalidFieldsOf, type GeneralDraft, type GeneralField } from './general-draft.ts';
import { SettingRow } from './form/setting-row.tsx';
import type { InstantDraft } from './form/use-instant-draft.ts';

export interface GeneralSectionsProps {
  draft: InstantDraft<GeneralDraft>;
  /** The stored default scope. */
  defaultScope: Settings['defaults']['scope'];
  /** The section of the rules, which has its own button. */
  rules: ReactNode;
}

type Flag = {
  [Name in keyof GeneralDraft]: GeneralDraft[Name] extends boolean ? Name : never;
}[keyof GeneralDraft];
type Text = 'shell' | 'name' | 'files' | GeneralField;

/** The retention times in the menu, in days; 0 means no limit. */
const offeredDays = [7, 30, 90, 180, 365, 0];

/**
 * The sections about accounts, appearance, rules, trash and versions, shares, uploads and shell. Each field is saved at
 * once.
 */
export function GeneralSections({ draft, defaultScope, rules }: GeneralSectionsProps) {
  const { t } = useTranslation('settings');
  const { value, choose, stateOf } = draft;
  const fields = useFields(draft);
  const scope = canonicalScope(defaultScope) ?? '/';
  const createsAccounts = value.signup || ['proxy', 'hook'].includes(pageConfig.AuthMethod);
  const isScopeConfirmed = isDefaultScopeConfirmed({
    confirmedDefaultScope: value.confirmedDefaultScope,
    defaults: { scope: defaultScope },
  });
  const { flag, text, days } = fields;
  return (
    <>
      <Card title={t('global.accounts')} description={t('savedAtOnce')}>
        {flag('signup', t('global.signup'), t('global.signupHint'))}
        {flag('createUserDir', t('global.createUserDir'), t('global.createUserDirHint'))}
        {createsAccounts && !value.createUserDir && (
          <SettingRow state={stateOf('confirmedDefaultScope')}>
            <Switch
              isSelected={isScopeConfirmed}
              description={t(isScopeConfirmed ? 'global.scopeConfirmedHint' : 'global.scopeUnconfirmedHint')}
              onChange={(isConfirmed) => choose({ confirmedDefaultScope: isConfirmed ? scope : '' })}
            >
              {scope === '/'
                ? t('global.confirmRoot')
                : t('global.confirmScope', { folder: isolateBidi(scope) })}
            </Switch>
          </SettingRow>
        )}
        {text('userHomeBasePath', t('global.userHomeBasePath'))}
        {text('minimumPasswordLength', t('global.minimumPasswordLength'))}
        {flag(
          'requireCurrentPassword',
          t('global.requireCurrentPassword'),
          t('global.requireCurrentPasswordHint'),
        )}
      </Card>
      <Card title={t('global.look')} description={t('global.brandingHint')}>
        {text('name', t('global.placeName'), { description: t('global.placeNameHint') })}
        <SettingRow state={stateOf('theme')}>
          <Select
            label={t('global.theme')}
            description={t('global.themeHint')}
            value={value.theme}
            onChange={(theme) => choose({ theme })}
            options={themes.map((theme) => ({
              value: theme,
              label: t(`global.themes.${theme || 'system'}`),
            }))}
          />
        </SettingRow>
        {text('files', t('global.files'), { description: t('global.filesHint') })}
        {text('color', t('global.color'), { description: t('global.colorHint') })}
        {text('reportURL', t('global.reportURL'), { description: t('global.reportURLHint') })}
        {flag('disableExternal', t('global.disableExternal'), t('global.disableExternalHint'))}
        {flag('disableUsedPercentage', t('global.disableUsedPercentage'))}
        {flag('hideLoginButton', t('global.hideLoginButton'))}
      </Card>
      {rules}
      <Card title={t('global.kept')} description={t('global.keptHint')}>
        {days('trashDays', t('global.trashDays'), t('global.trashDaysHint'))}
        {days('versionDays', t('global.versionDays'), t('global.versionDaysHint'))}
        {text('keptSize', t('global.keptSize'), { description: t('global.keptSizeHint') })}
        <SettingRow state={stateOf('trashVisibility')}>
          <Select
            label={t('global.trashVisibility')}
            description={t('global.trashVisibilityHint')}
            value={value.trashVisibility}
            onChange={(trashVisibility) => choose({ trashVisibility })}
            options={trashVisibilities.map((visibility) => ({
              value: visibility,
              label: t(`global.trashVisibilities.${visibility}`),
            }))}
          />
        </SettingRow>
      </Card>
      <Card title={t('global.links')} description={t('global.newLinksHint')}>
        {text('shareDuration', t('global.shareDuration'), { placeholder: t('global.permanent') })}
        <SettingRow state={stateOf('shareUnit')}>
          <Select
            label={t('global.shareUnit')}
            value={value.shareUnit}
            onChange={(shareUnit) => choose({ shareUnit })}
            options={shareUnits.map((unit) => ({ value: unit, label: t(`global.shareUnits.${unit}`) }))}
          />
        </SettingRow>
      </Card>
      <Card title={t('global.uploads')} description={t('global.uploadsHint')}>
        {text('chunkSize', t('global.chunkSize'), { description: t('global.chunkSizeHint') })}
        {text('retryCount', t('global.retryCount'))}
      </Card>
      {pageConfig.EnableExec && (
        <Card title={t('global.shell')}>
          {text('shell', t('global.shellField'), {
            description: t('global.shellHint'),
            placeholder: 'bash -c, cmd /c, ...',
          })}
        </Card>
      )}
    </>
  );
}

/** Returns functions that render the fields of `draft`. */
function useFields({ value, choose, type, commit, stateOf }: InstantDraft<GeneralDraft>) {
  const { t } = useTranslation('settings');
  const invalidFields = invalidFieldsOf(value);
  const errors: Record<GeneralField, string> = {
    userHomeBasePath: t('global.error.path'),
    minimumPasswordLength: t('global.error.number', formatBounds(bounds.minimumPasswordLength)),
    color: t('global.error.color'),
    reportURL: t('global.error.reportURL'),
    shareDuration: t('global.error.number', formatBounds(bounds.shareDuration)),
    chunkSize: t('global.error.size'),
    retryCount: t('global.error.number', formatBounds(bounds.retryCount)),
    keptSize: t('global.error.size'),
  };
  const flag = (name: Flag, label: string, description?: string) => (
    <SettingRow state={stateOf(name)}>
      <Switch
        isSelected={value[name]}
        description={description}
        onChange={(isSelected) => choose({ [name]: isSelected })}
      >
        {label}
      </Switch>
    </SettingRow>
  );
  const text = (name: Text, label: string, more: { description?: ReactNode; placeholder?: string } = {}) => {
    const isInvalid = invalidFields.some((field) => field === name);
    const save = () => {
      if (!isInvalid) commit(name);
    };
    return (
      <SettingRow state={stateOf(name)}>
        <TextField
          {...more}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          label={label}
          data-field={name}
          value={value[name]}
          onChange={(next) => type({ [name]: next })}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) save();
          }}
          errorMessage={isInvalid ? errors[name as GeneralField] : undefined}
        />
      </SettingRow>
    );
  };
  const days = (name: 'trashDays' | 'versionDays', label: string, description: string) => (
    <SettingRow state={stateOf(name)}>
      <Select
        label={label}
        description={description}
        value={String(value[name])}
        onChange={(next) => choose({ [name]: Number(next) })}
        options={withStored(value[name]).map((count) => ({
          value: String(count),
          label: labelOfDays(count, t),
        }))}
      />
    </SettingRow>
  );
  return { flag, text, days };
}

/** Returns the times of the menu, including the stored one, which may have been set on the command line. */
const withStored = (stored: number): number[] =>
  offeredDays.includes(stored)
    ? offeredDays
    : [stored, ...offeredDays].toSorted((one, other) => (one || Infinity) - (other || Infinity));

function labelOfDays(count: number, t: ReturnType<typeof useTranslation<'settings'>>['t']): string {
  if (count === 0) return t('global.noLimit');
  return count === 365 ? t('global.oneYear') : t('global.days', pluralValues(count));
}

const formatBounds = ({ min, max }: { min: number; max: number }) => ({
  least: formatNumber(min),
  most: formatNumber(max),
});
