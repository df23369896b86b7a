import { expiredShareDays } from '@filestead/contract/values/limits';
import { useRef, useState, type ReactNode } from 'react';
import { isExpired } from '../../../api/public-share.ts';
import { formatDate, formatDateExact, formatNumber, pluralValues } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { ArrowDown, ArrowUp } from '../../../ui/icons.ts';
import styles from './own-shares-page.module.css';
import { chooseShareOrder, orderAfterPress, useShareOrder, type ShareSortKey } from './share-order.ts';
import {
  ShareActions,
  ShareAddress,
  ShareChoice,
  ShareExpiry,
  ShareName,
  visitsOf,
  type ListState,
  type OwnSharesListProps,
  type RowProps,
} from './share-row-parts.tsx';
import { useCardPress } from './use-card-press.ts';

/** The number of rows rendered at first, and added with each step. */
const pageSize = 100;

/** The active shares, then the expired ones: a table, on phones cards. */
export function OwnSharesList(row: OwnSharesListProps) {
  const { t } = useTranslation('shares');
  const { active, expired, selected, selectAll, clear } = row.state;
  const isPhone = useIsPhone();
  const [limit, setLimit] = useState(pageSize);
  const count = active.length + expired.length;
  const sections = [
    { id: 'active', count: active.length, shares: active.slice(0, limit) },
    { id: 'expired', count: expired.length, shares: expired.slice(0, Math.max(0, limit - active.length)) },
  ] as const;
  const shown = sections.filter(({ shares }) => shares.length > 0);
  const heading = (id: 'active' | 'expired', size: number) =>
    expired.length > 0 && (
      <>
        {t(`shared.${id}`)}{' '}
        <span className={styles.sectionNote}>
          {formatNumber(size)}
          {id === 'expired' && `, ${t('shared.keptFor', pluralValues(expiredShareDays))}`}
        </span>
      </>
    );
  return (
    <>
      {isPhone ? (
        <Cards state={row.state}>
          {shown.map(({ id, count: size, shares }) => (
            <section key={id}>
              {expired.length > 0 && <h2 className={styles.section}>{heading(id, size)}</h2>}
              <ul className={styles.cards} aria-label={t('shared.title')}>
                {shares.map((share) => (
                  <ShareCard key={share.hash} share={share} {...row} />
                ))}
              </ul>
            </section>
          ))}
        </Cards>
      ) : (
        <table
          className={styles.table}
          aria-label={t('shared.title')}
          data-selecting={selected.length > 0 || undefined}
        >
          <thead>
            <tr>
              <td className={styles.choice}>
                <Checkbox
                  aria-label={t('shared.selectAll')}
                  isSelected={selected.length === count}
                  isIndeterminate={selected.length > 0 && selected.length < count}
                  onChange={(isSelected) => (isSelected ? selectAll() : clear())}
                />
              </td>
              <SortHeader by="name" label={t('shared.name')} />
              <th scope="col">{t('shared.link')}</th>
              <SortHeader by="visits" label={t('shared.visitsHeader')} className={styles.number} />
              <SortHeader by="expires" label={t('shared.expires')} />
              <SortHeader by="created" label={t('shared.created')} className={styles.created} />
              <th scope="col">
                <span className="visually-hidden">{t('page.actions')}</span>
              </th>
            </tr>
          </thead>
          {shown.map(({ id, count: size, shares }) => (
            <tbody key={id} data-expired={id === 'expired' || undefined}>
              {expired.length > 0 && (
                <tr className={styles.sectionRow}>
                  <th colSpan={7} scope="rowgroup" className={styles.section}>
                    {heading(id, size)}
                  </th>
                </tr>
              )}
              {shares.map((share) => (
                <ShareRow key={share.hash} share={share} {...row} />
              ))}
            </tbody>
          ))}
        </table>
      )}
      {count > limit && (
        <div className={styles.more}>
          <Button onClick={() => setLimit(limit + pageSize)}>
            {t('page.showMore', pluralValues(count - limit))}
          </Button>
        </div>
      )}
    </>
  );
}

/** The header of a column that sorts the list. */
function SortHeader({
  by,
  label,
  className,
}: {
  by: ShareSortKey;
  label: string;
  className?: string | undefined;
}) {
  const order = useShareOrder();
  const isSorted = order.by === by;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => chooseShareOrder(orderAfterPress(order, by))}
      >
        {label}
        {isSorted && <Arrow aria-hidden="true" />}
      </button>
    </th>
  );
}

function ShareRow({ share, ...row }: RowProps) {
  return (
    <tr
      data-share={share.hash}
      data-selected={row.state.isSelected(share) || undefined}
      onFocus={() => row.onFocus(share)}
    >
      <td className={styles.choice}>
        <ShareChoice share={share} {...row} />
      </td>
      <th scope="row">
        <ShareName share={share} {...row} />
      </th>
      <td>
        <ShareAddress share={share} />
      </td>
      <td className={styles.number}>{formatNumber(share.visits)}</td>
      <td>
        <ShareExpiry share={share} />
      </td>
      <td className={styles.created}>
        <time
          dateTime={new Date(share.created * 1000).toISOString()}
          title={formatDateExact(share.created * 1000)}
        >
          {formatDate(share.created * 1000)}
        </time>
      </td>
      <td>
        <ShareActions share={share} {...row} />
      </td>
    </tr>
  );
}

/** The cards of the phone: a long press selects a share, and while some are selected a tap selects another one. */
function Cards({ state, children }: { state: ListState; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const { active, expired, selected, isSelected, toggle } = state;
  const shareOf = (hash: string) => [...active, ...expired].find((share) => share.hash === hash);
  useCardPress(root, {
    isSelecting: selected.length > 0,
    onHold: (hash) => {
      const share = shareOf(hash);
      if (share) toggle(share, true);
    },
    onTap: (hash) => {
      const share = shareOf(hash);
      if (share) toggle(share, !isSelected(share));
    },
  });
  return (
    <div ref={root} className={classes(selected.length > 0 && styles.selecting)}>
      {children}
    </div>
  );
}

/** A share on the phone. */
function ShareCard({ share, ...row }: RowProps) {
  const { t } = useTranslation('shares');
  const { selected, isSelected } = row.state;
  const isSelecting = selected.length > 0;
  return (
    <li
      className={styles.card}
      data-share={share.hash}
      data-expired={isExpired(share) || undefined}
      data-selected={isSelected(share) || undefined}
    >
      {isSelecting && <ShareChoice share={share} {...row} />}
      <ShareName share={share} {...row} />
      <span className={styles.metadata}>
        <ShareExpiry share={share} />
        <span>{t('shared.visits', visitsOf([share]))}</span>
      </span>
      {!isSelecting && <ShareActions share={share} {...row} />}
    </li>
  );
}
