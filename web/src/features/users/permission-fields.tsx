import {
  permissionNames,
  type PermissionName,
  type Permissions,
} from '@filestead/contract/values/permissions';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import styles from './user-fields.module.css';

/** The permissions in the order of the form. */
const formOrder: readonly PermissionName[] = [
  'admin',
  'create',
  'delete',
  'purge',
  'download',
  'modify',
  'execute',
  'rename',
  'share',
];

const allPermissions = Object.fromEntries(permissionNames.map((name) => [name, true])) as Permissions;

/**
 * Returns the permissions after one was switched. An administrator has all of them (docs/reference/behaviour.md §4).
 * Shares need “download” as well as “share”, so both are switched together.
 */
export function withPermission(perm: Permissions, name: PermissionName, isOn: boolean): Permissions {
  if (name === 'admin' && isOn) return allPermissions;
  return {
    ...perm,
    [name]: isOn,
    ...(name === 'share' && isOn && { download: true }),
    ...(name === 'download' && !isOn && { share: false }),
  };
}

export interface PermissionFieldsProps {
  perm: Permissions;
  onChange: (perm: Permissions) => void;
}

/** The permissions of a user, each with an explanation. Command execution only if the server allows it. */
export function PermissionFields({ perm, onChange }: PermissionFieldsProps) {
  const { t } = useTranslation('users');
  return (
    <div className={styles.switches}>
      {formOrder
        .filter((name) => name !== 'execute' || pageConfig.EnableExec)
        .map((name) => (
          <Switch
            key={name}
            isSelected={perm[name]}
            isDisabled={perm.admin && name !== 'admin'}
            description={t(`permissions.hint.${name}`)}
            onChange={(isOn) => onChange(withPermission(perm, name, isOn))}
          >
            {t(`permissions.${name}`)}
          </Switch>
        ))}
      {perm.admin && <p className={styles.note}>{t('permissions.adminHint')}</p>}
    </div>
  );
}
