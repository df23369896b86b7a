import type { User } from '@filestead/contract/users';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatNumber } from '../../i18n/format.ts';
import { isolated } from '../../i18n/isolated.ts';
import { currentLanguageTag } from '../../i18n/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Check, PencilLine, Search, UserPlus, X } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useIsPhone } from '../../ui/use-media-query.ts';
import { usersQuery } from './users-queries.ts';
import styles from './users-page.module.css';

const addressOf = (user: User): string => `/settings/users/${user.id}`;

/** Everyone who may sign in. */
export function UsersPage({ ownId }: { ownId: number }) {
  const query = useQuery(usersQuery);
  return <Loaded query={query}>{(users) => <UserList users={users} ownId={ownId} />}</Loaded>;
}

function UserList({ users, ownId }: { users: readonly User[]; ownId: number }) {
  const { t } = useTranslation('users');
  const isPhone = useIsPhone();
  const [text, setText] = useState('');
  const [isDescending, setDescending] = useState(false);
  const wanted = text.trim().toLocaleLowerCase();
  const shown = users
    .filter(({ username, scope }) => `${username}\n${scope}`.toLocaleLowerCase().includes(wanted))
    .sort((one, other) => {
      const order = one.username.localeCompare(other.username, currentLanguageTag(), { numeric: true });
      return isDescending ? -order : order;
    });
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <div className={styles.search}>
          <TextField
            type="search"
            label={t('list.search')}
            isLabelHidden
            placeholder={t('list.search')}
            icon={<Search />}
            value={text}
            onChange={setText}
          />
        </div>
        <Link to="/settings/users/new" className={styles.new}>
          <UserPlus />
          {t('new')}
        </Link>
      </div>
      <p className={styles.count} role="status">
        {t('list.count', { count: shown.length, number: formatNumber(shown.length) })}
      </p>
      {shown.length === 0 ? (
        <EmptyState illustration="search" title={t('list.none', { query: text.trim() })} />
      ) : isPhone ? (
        <UserCards users={shown} ownId={ownId} />
      ) : (
        <Table
          label={t('list.title')}
          rows={shown}
          rowKey={({ id }) => id}
          sort={{ columnId: 'username', isDescending }}
          onSort={() => setDescending(!isDescending)}
          columns={columnsOf(t, ownId)}
        />
      )}
    </div>
  );
}

/** The columns of the table. */
const columnsOf = (t: TFunction<'users'>, ownId: number): TableColumn<User>[] => [
  {
    id: 'username',
    header: t('list.username'),
    isRowHeader: true,
    isSortable: true,
    cell: (user) => (
      <Link to={addressOf(user)} className={styles.who}>
        <Avatar name={user.username} size={24} />
        <bdi>{user.username}</bdi>
        {user.id === ownId && <span className={styles.chip}>{t('list.you')}</span>}
      </Link>
    ),
  },
  {
    id: 'admin',
    header: t('list.admin'),
    cell: ({ perm }) => (
      <span className={styles.flag} data-is={perm.admin}>
        {perm.admin ? <Check /> : <X />}
        <span className="visually-hidden">{t(perm.admin ? 'list.yes' : 'list.no')}</span>
      </span>
    ),
  },
  {
    id: 'scope',
    header: t('list.scope'),
    cell: ({ scope }) => (
      <bdi dir="ltr" className={styles.scope}>
        {scope}
      </bdi>
    ),
  },
  {
    id: 'edit',
    header: t('list.edit'),
    isHeaderHidden: true,
    align: 'end',
    cell: (user) => (
      <Link
        to={addressOf(user)}
        className={styles.edit}
        aria-label={t('list.editUser', { name: isolated(user.username) })}
        title={t('list.edit')}
      >
        <PencilLine />
      </Link>
    ),
  },
];

/** On the phone a row has no room for columns. */
function UserCards({ users, ownId }: { users: readonly User[]; ownId: number }) {
  const { t } = useTranslation('users');
  return (
    <ul className={styles.cards} aria-label={t('list.title')}>
      {users.map((user) => (
        <li key={user.id}>
          <Link to={addressOf(user)} className={styles.card}>
            <Avatar name={user.username} size={40} />
            <span className={styles.texts}>
              <span className={styles.name}>
                <bdi>{user.username}</bdi>
                {user.id === ownId && <span className={styles.chip}>{t('list.you')}</span>}
                {user.perm.admin && <span className={styles.chip}>{t('list.admin')}</span>}
              </span>
              <bdi dir="ltr" className={styles.scope}>
                {user.scope}
              </bdi>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
