import type { ManagedUser, UserSize } from '@filestead/contract/users';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState, type ReactNode } from 'react';
import { isCatalogueOn } from '../../api/catalogue.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { formatDate, formatDateExact, formatNumber, formatSize } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { currentLanguageTag } from '../../i18n/i18n.ts';
import { buttonLook } from '../../ui/buttons/button-look.ts';
import { Avatar } from '../../ui/names/avatar.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PencilLine, Search, UserPlus } from '../../ui/icons.ts';
import { ListFooter } from '../../ui/list-footer.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { roleOf } from './role-of.ts';
import { useGrowingPart } from './use-growing-part.tsx';
import { userSizesQuery, usersQuery } from './users-queries.ts';
import styles from './users-page.module.css';

const addressOf = (user: ManagedUser): string => `/settings/users/${user.id}`;
/** Returns which of the four colors the avatar has; that of the signed-in user has the same one everywhere. */
const tintOf = ({ id }: ManagedUser, ownId: number): number => (id === ownId ? 0 : 1 + (id % 3));

export interface UsersPageProps {
  /** The signed-in user. */
  ownId: number;
  hasExactDates: boolean;
  /** The text that the username or the scope has to contain. */
  query: string;
  /** A sentence after the number of users. */
  note?: ReactNode;
}

/** The field that finds users, and the link to the page of a new one. */
export function UsersBar({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const { t } = useTranslation('users');
  return (
    <div className={styles.bar}>
      <TextField
        className={styles.search}
        type="search"
        label={t('list.search')}
        isLabelHidden
        placeholder={t('list.search')}
        icon={<Search />}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={onQuery}
      />
      <Link to="/settings/users/new" {...buttonLook('primary', styles.new)}>
        <UserPlus />
        {t('new')}
      </Link>
    </div>
  );
}

/** The list of all users. */
export function UsersPage(props: UsersPageProps) {
  return <Loaded query={useQuery(usersQuery)}>{(users) => <UserList {...props} users={users} />}</Loaded>;
}

type Users = readonly ManagedUser[];
type SortKey = 'username' | 'admin' | 'scope' | 'used' | 'lastSignIn';
/** The sizes of the users' folders by their ids; null while they are not known. */
type Sizes = ReadonlyMap<number, UserSize> | null;

/** Compares two users by one column; equal values are ordered by name. */
function compareBy(key: SortKey, sizes: Sizes): (one: ManagedUser, other: ManagedUser) => number {
  const { compare } = new Intl.Collator(currentLanguageTag(), { numeric: true });
  const byName = (one: ManagedUser, other: ManagedUser) => compare(one.username, other.username);
  switch (key) {
    case 'username':
      return byName;
    case 'admin':
      return (one, other) => Number(other.perm.admin) - Number(one.perm.admin) || byName(one, other);
    case 'scope':
      return (one, other) => compare(one.scope, other.scope) || byName(one, other);
    case 'used': {
      const bytesOf = ({ id }: ManagedUser) => sizes?.get(id)?.bytes ?? -1;
      return (one, other) => bytesOf(other) - bytesOf(one) || byName(one, other);
    }
    case 'lastSignIn':
      return (one, other) => (other.lastSignIn ?? 0) - (one.lastSignIn ?? 0) || byName(one, other);
  }
}

const sortKeys: readonly SortKey[] = ['username', 'admin', 'scope', 'used', 'lastSignIn'];

function UserList({ users, ownId, hasExactDates, query, note }: UsersPageProps & { users: Users }) {
  const { t } = useTranslation('users');
  const isPhone = useIsPhone();
  const [sort, setSort] = useState({ columnId: 'username' as SortKey, isDescending: false });
  const { data: sizes = null } = useQuery({ ...userSizesQuery, enabled: isCatalogueOn() });
  const sorted = useMemo(() => {
    const inOrder = users.toSorted(compareBy(sort.columnId, sizes));
    return sort.isDescending ? inOrder.toReversed() : inOrder;
  }, [users, sort, sizes]);
  const filter = query.trim().toLocaleLowerCase();
  const matching = sorted.filter(({ username, scope }) =>
    `${username}\n${scope}`.toLocaleLowerCase().includes(filter),
  );
  const rendered = useGrowingPart(matching);
  return (
    <div className={styles.page}>
      {matching.length === 0 ? (
        <EmptyState illustration="search" title={t('list.none', { query: query.trim() })} />
      ) : isPhone ? (
        <UserCards users={rendered.part} sizes={sizes} ownId={ownId} hasExactDates={hasExactDates} />
      ) : (
        <Table
          label={t('list.title')}
          rows={rendered.part}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(columnId) => {
            const key = sortKeys.find((candidate) => candidate === columnId) ?? 'username';
            setSort({ columnId: key, isDescending: key === sort.columnId && !sort.isDescending });
          }}
          columns={columnsOf(t, { ownId, hasExactDates, sizes })}
        />
      )}
      {rendered.end}
      <ListFooter>
        <p className={styles.foot}>
          <span role="status">
            {t('list.count', { count: matching.length, number: formatNumber(matching.length) })}
          </span>
          {note && <> · {note}</>}
        </p>
      </ListFooter>
    </div>
  );
}

/** The columns of the table. */
const columnsOf = (
  t: TFunction<'users'>,
  { ownId, hasExactDates, sizes }: Pick<UsersPageProps, 'ownId' | 'hasExactDates'> & { sizes: Sizes },
): TableColumn<ManagedUser>[] => [
  {
    id: 'username',
    header: t('list.username'),
    isRowHeader: true,
    isSortable: true,
    cell: (user) => (
      <Link to={addressOf(user)} className={styles.who} data-tint={tintOf(user, ownId)}>
        <Avatar name={user.username} size={32} />
        <bdi>{user.username}</bdi>
        {user.id === ownId && <span className={styles.chip}>{t('list.you')}</span>}
      </Link>
    ),
  },
  {
    id: 'admin',
    header: t('list.access'),
    isSortable: true,
    cell: ({ perm }) => <Access perm={perm} />,
  },
  {
    id: 'scope',
    header: t('list.scope'),
    isSortable: true,
    cell: ({ scope }) => (
      <bdi dir="ltr" className={styles.scope} data-column="" title={scope}>
        {scope}
      </bdi>
    ),
  },
  ...(isCatalogueOn()
    ? [
        {
          id: 'used',
          header: t('list.used'),
          isSortable: true,
          align: 'end',
          cell: ({ id }) => <Used size={sizes?.get(id)} isLoaded={sizes !== null} />,
        } satisfies TableColumn<ManagedUser>,
      ]
    : []),
  {
    id: 'lastSignIn',
    header: t('list.lastSignIn'),
    isSortable: true,
    cell: ({ lastSignIn }) => <SignedIn at={lastSignIn} hasExactDates={hasExactDates} />,
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
        aria-label={t('list.editUser', { name: isolateBidi(user.username) })}
        title={t('list.edit')}
      >
        <PencilLine />
      </Link>
    ),
  },
];

/** A summary of the permissions. */
function Access({ perm }: Pick<ManagedUser, 'perm'>) {
  const { t } = useTranslation('users');
  const role = roleOf(perm);
  return (
    <span className={styles.access} data-role={role}>
      {t(`list.roles.${role}`)}
    </span>
  );
}

interface UsedProps {
  size: UserSize | undefined;
  isLoaded: boolean;
  /** Adds a label to the size, if there is no column header. */
  isNamed?: boolean;
}

/** The size of a user's folder; an ellipsis until it is known, and a dash if the server does not know it. */
function Used({ size, isLoaded, isNamed = false }: UsedProps) {
  const { t } = useTranslation('users');
  const bytes = size?.bytes ?? null;
  if (bytes === null) return isNamed ? null : <span className={styles.date}>{isLoaded ? '—' : '…'}</span>;
  const text = formatSize(bytes);
  const checkedAtMs = size?.checkedAt == null ? null : Date.parse(size.checkedAt);
  return (
    <span
      className={styles.date}
      title={checkedAtMs === null ? undefined : t('list.usedAsOf', { date: formatDate(checkedAtMs) })}
    >
      {isNamed ? t('list.usedSize', { size: text }) : text}
    </span>
  );
}

interface SignedInProps {
  at: number | null;
  hasExactDates: boolean;
  /** Adds a label to the date, if there is no column header. */
  isNamed?: boolean;
}

/** The time of a user's last sign-in. */
function SignedIn({ at, hasExactDates, isNamed = false }: SignedInProps) {
  const { t } = useTranslation('users');
  const date = at === null ? t('list.never') : formatDate(at, { exact: hasExactDates });
  const text = isNamed ? t('list.lastSignInAt', { date }) : date;
  if (at === null) return <span className={styles.date}>{text}</span>;
  return (
    <time className={styles.date} dateTime={new Date(at).toISOString()} title={formatDateExact(at)}>
      {text}
    </time>
  );
}

/** The list on the phone, whose rows have no room for columns. */
function UserCards(props: Pick<UsersPageProps, 'ownId' | 'hasExactDates'> & { users: Users; sizes: Sizes }) {
  const { users, sizes, ownId, hasExactDates } = props;
  const { t } = useTranslation('users');
  return (
    <ul className={styles.cards} aria-label={t('list.title')}>
      {users.map((user) => (
        <li key={user.id}>
          <Link to={addressOf(user)} className={styles.card} data-tint={tintOf(user, ownId)}>
            <Avatar name={user.username} size={40} />
            <span className={styles.texts}>
              <span className={styles.name}>
                <bdi>{user.username}</bdi>
                {user.id === ownId && <span className={styles.chip}>{t('list.you')}</span>}
              </span>
              <span className={styles.metadata}>
                <Access perm={user.perm} />
                <bdi dir="ltr" className={styles.scope} title={user.scope}>
                  {user.scope}
                </bdi>
                <Used size={sizes?.get(user.id)} isLoaded={sizes !== null} isNamed />
                <SignedIn at={user.lastSignIn} hasExactDates={hasExactDates} isNamed />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
